import { createContext, useContext, useSyncExternalStore } from 'react'
import type { OpenWorkspace } from '#console/io/workspace.ts'
import type { Workspace } from '#console/io/workspace-types.ts'
import { emptyView } from '#console/io/workspace-view.ts'

const nothing = (): undefined => undefined
const noWorkspace: Workspace = {
  ...emptyView,
  newest: () => emptyView.files,
  edit: nothing,
  editAll: nothing,
  drop: nothing,
  revert: nothing,
  undo: nothing,
  redo: nothing,
  resolve: nothing,
  flush: async () => true,
  refresh: async () => undefined,
}

/** The draft or release that is open; pages below #/draft/:id and #/release/:n stand in one. */
export const WorkspaceContext = createContext<OpenWorkspace | null>(null)
const still = () => () => undefined

/** Draws again with every change of the workspace. Outside of one its status is `none`. */
export function useWorkspace(): Workspace {
  const open = useContext(WorkspaceContext)
  return useSyncExternalStore(open?.subscribe ?? still, open?.view ?? (() => noWorkspace))
}
