import { FilePlus2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useWords } from '#console/io/words.ts'
import { Button } from '#console/parts/Button.tsx'
import { useClosed } from '#console/parts/useClosed.ts'

/** With the code of forms, which a page needs only when the button is pressed. */
const NewDraft = lazy(async () => ({ default: (await import('#console/start/NewDraft.tsx')).NewDraft }))

/** Creates a draft from a release. From a stopped release it takes only its changes, applied to the live release. */
export function DraftFromButton({ release, small }: { release: number; small?: boolean }) {
  const say = useWords()
  const closed = useClosed('editor')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...(small && { small })} icon={FilePlus2} closed={closed} onClick={() => setOpen(true)}>
        {say('shell.drafts.from_open')}
      </Button>
      <Suspense>{open && <NewDraft open from={release} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
