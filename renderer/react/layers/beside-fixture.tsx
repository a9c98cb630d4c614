import { useEngine } from '#renderer/react/context.ts'

/** Stands for the page in tests of `Beside`. One for all of them, because test files of a worker share their modules. */
export function ScreenLoader({ id, search }: { id: string; search: string }) {
  const { back, isBeside } = useEngine()
  return (
    <button type="button" id="inside" onClick={() => back()}>
      {`${id} ${search} ${isBeside}`}
    </button>
  )
}
