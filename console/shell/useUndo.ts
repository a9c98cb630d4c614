import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useWords } from '#console/io/words.ts'
import { useConfirm } from '#console/parts/dialog/Dialog.tsx'

/** Undo and redo of a draft. Both ask first where the change would void an approval. */
export function useUndo(): { undo: () => Promise<void>; redo: () => Promise<void> } {
  const say = useWords()
  const confirm = useConfirm()
  const { draft, undo, redo } = useWorkspace()
  const by = draft?.approval?.by
  const asking = (act: () => void) => async () => {
    const sure =
      by === undefined ||
      (await confirm({
        title: say('shell.draft.void_title', { name: by }),
        text: say('shell.draft.void_text'),
        ok: say('shell.draft.void_ok'),
        danger: true,
      }))
    if (sure) act()
  }
  return { undo: asking(undo), redo: asking(redo) }
}
