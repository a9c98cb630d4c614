import { Gauge, type Registry } from 'prom-client'

/** Shows the counters of a part as one metric with a label: tessera_feed{figure="clients"}. */
export function addFigures(registry: Registry, name: string, help: string, counts: () => object): void {
  new Gauge({
    name,
    help,
    labelNames: ['figure'],
    registers: [registry],
    collect() {
      for (const [figure, value] of Object.entries(counts())) if (typeof value === 'number') this.set({ figure }, value)
    },
  })
}
