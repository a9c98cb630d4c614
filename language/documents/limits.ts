/**
 * Limits of what people write. Publisher and client use the same limits, so every published document can be shown.
 * Values are counts unless the name says otherwise.
 */
export const limits = {
  documentBytesMax: 1_048_576,
  documentDepthMax: 32,
  nodesPerScreenMax: 5_000,
  nodeDepthMax: 20,
  stepsPerActionMax: 20,
  actionDepthMax: 4,
  changesMax: 20,
  cellsMax: 8,
  pagesMax: 10,
  rowsMax: 100,
  dataSourcesPerScreenMax: 20,
  fragmentDepthMax: 4,
  repeatItemsMax: 10_000,
  /** Number of visits to one screen by `enter` steps after which they count as an endless circle. */
  enterMovesMax: 5,
  /** Number of consecutive answers whose steps may cause further answers. */
  sourceCircleMax: 5,
  expressionDepthMax: 16,
  expressionNodesMax: 256,
  expressionStepsMax: 10_000,
  expressionTextMax: 10_240,
  expressionItemsMax: 1_000,
  pathLengthMax: 200,
  recordsMax: 500,
  /** Entries of a list on the device whose declaration names no number. */
  deviceListMax: 200,
  quickEntriesMax: 60,
  flowStepsMax: 200,
  textLengthMax: 10_240,
  savedNameMax: 120,
  debounceMsMax: 5_000,
  savedTextMax: 5_000_000,
} as const
