/**
 * How often something is repeated that only shows its faults by chance: what each commit affords, and, with NIGHTLY=1, what is run before a
 * release.
 */
export const sized = (commit: number, nightly: number): number => (process.env.NIGHTLY === '1' ? nightly : commit)
