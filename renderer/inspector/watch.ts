import { NodeModel } from '#renderer/core/model.ts'

export interface Watch {
  readonly live: ReadonlySet<NodeModel>
}

/** Knows every node that stands, from now on. Nodes that were there before it are not reported, so it begins before the first screen. */
export function watchModels(): Watch {
  const live = new Set<NodeModel>()
  NodeModel.watcher = (model, alive) => {
    if (alive) live.add(model)
    else live.delete(model)
  }
  return { live }
}
