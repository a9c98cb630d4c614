import { useEngine } from '#renderer/react/context.ts'

/** Goes one page back, or home when there is nothing behind. */
export function useBack(): () => void {
  const engine = useEngine()
  return engine.back
}
