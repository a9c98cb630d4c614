/**
 * A bound on everything that people write. Publisher and client read the same numbers, so that what is published can be shown.
 * Sizes are counts unless the name says otherwise.
 */
export const limits = {
  documentBytesMax: 1_048_576,
  documentDepthMax: 32,
  nodesPerScreenMax: 5_000,
  nodeDepthMax: 20,
  stepsPerActionMax: 20,
  actionDepthMax: 4,
  dataSourcesPerScreenMax: 20,
  fragmentDepthMax: 4,
  repeatItemsMax: 10_000,
  /** How often the steps of `enter` may lead to one screen before it is taken for a circle. */
  enterMovesMax: 5,
  /** How often in a row the steps of sources may bring answers that run such steps again. */
  sourceCircleMax: 5,
  expressionDepthMax: 16,
  expressionNodesMax: 256,
  expressionStepsMax: 10_000,
  expressionTextMax: 10_240,
  expressionItemsMax: 1_000,
  pathLengthMax: 200,
  recordsMax: 500,
  quickEntriesMax: 60,
  flowStepsMax: 200,
  textLengthMax: 10_240,
  savedNameMax: 120,
  debounceMsMax: 5_000,
  savedTextMax: 5_000_000,
} as const
