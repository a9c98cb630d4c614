import { limits } from '#language/documents/limits.ts'

/**
 * Bounds of what operators write. Those of one document (nodes, depth, expressions) are language/documents/limits.ts and are held by the checks; these
 * are held at each save and again when a release is made. Texts are counted in UTF-16 units unless the name says otherwise.
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
  /** Of one operator, so that nobody alone keeps the others from beginning a draft. */
  openDraftsPerAuthorMax: 100,
  draftsListed: 300,
  releasesListed: 200,
  /** Clients that hold an earlier manifest still fetch its documents, and older builds stay on them. */
  releasesServed: 50,
  scheduleAheadMsMax: 366 * 86_400_000,
  /** Steps of one draft that are told. */
  historyRows: 200,
  auditPage: 100,
  auditPageMax: 1_000,
  auditDetailLengthMax: 20_000,
  actionLengthMax: 60,
  subjectLengthMax: 200,
} as const
