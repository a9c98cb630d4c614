import { createContext, useContext } from 'react'
import type { HeldNode } from '#console/preview/protocol.ts'

/** Asks the preview why a node of the open document looks as it does there now. Null while there is no preview. */
export type Why = (node: string) => Promise<HeldNode | null>
export const WhyContext = createContext<Why | null>(null)
export const useWhy = (): Why | null => useContext(WhyContext)
