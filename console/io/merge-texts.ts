/** Puts two texts of one file together that began with the same one; null where both changed the same part. */
export type MergeTexts = (path: string, base: string, mine: string, theirs: string) => Promise<string | null>

/** By meaning, as a draft is merged with what went live. The code for it comes when it is needed. */
export const mergeTexts: MergeTexts = async (path, base, mine, theirs) => {
  const { merge } = await import('#language/edit/merge.ts')
  const { files, conflicts } = merge({ [path]: base }, { [path]: mine }, { [path]: theirs })
  return conflicts.length > 0 ? null : (files[path] ?? null)
}
