import { useMay } from '#console/io/console.ts'
import { useWords } from '#console/io/words.ts'

/** Why a button is closed to this operator, who has not the role that it needs; undefined for who has it. */
export function useClosed(role: 'editor' | 'approver' | 'publisher'): string | undefined {
  const [say, may] = [useWords(), useMay()]
  return may(role) ? undefined : say(`review.closed.${role}`)
}
