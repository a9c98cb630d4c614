import { limits } from '#language/documents/limits.ts'

/**
 * Limits of what operators write. Limits of one document (nodes, depth, expressions) are in language/documents/limits.ts and enforced by
 * the checks; these are enforced at each save and at each release. Lengths are in UTF-16 units unless the name says otherwise.
 */
export const publishingLimits = {
  fileBytesMax: limits.documentBytesMax,
  filesPerDraftMax: 500,
  filesPerSetMax: 3_000,
  setBytesMax: 32 * 1_048_576,
  pathLengthMax: 200,
  nameLengthMax: 80,
  noteLengthMax: 4_000,
  reasonLengthMax: 1_000,
  openDraftsMax: 200,
  /** Per operator, so that one operator cannot use up all drafts. */
  openDraftsPerAuthorMax: 100,
  draftsListed: 300,
  releasesListed: 200,
  /** Number of releases that stay available: clients with an earlier manifest fetch its documents, and older builds stay on them. */
  releasesServed: 50,
  scheduleAheadMsMax: 366 * 86_400_000,
  /** Maximum number of history entries of one draft. */
  historyRows: 200,
  auditPage: 100,
  auditPageMax: 1_000,
  auditDetailLengthMax: 20_000,
  actionLengthMax: 60,
  subjectLengthMax: 200,
} as const
