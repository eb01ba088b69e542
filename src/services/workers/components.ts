import type { ServiceName } from '../../contract/services.ts'
import type { House } from '../house.ts'

type Rebuild = () => Promise<void> | void

const components = new WeakMap<House, Map<ServiceName, Set<Rebuild>>>()

/** Names how a part of this process is built anew when its service is restarted. */
export function onRestart(house: House, services: readonly ServiceName[], rebuild: Rebuild): void {
  const known = components.get(house) ?? new Map<ServiceName, Set<Rebuild>>()
  components.set(house, known)
  for (const service of services) known.set(service, (known.get(service) ?? new Set()).add(rebuild))
}

/** Builds anew what this process holds of some services, each part once. */
export async function rebuildParts(house: House, services: readonly ServiceName[]): Promise<void> {
  const known = components.get(house)
  const parts = new Set(services.flatMap((service) => [...(known?.get(service) ?? [])]))
  for (const rebuild of parts) await rebuild()
}
