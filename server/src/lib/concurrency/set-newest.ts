/** Sets an entry as the newest of a map; beyond `limit` entries the oldest is dropped. */
export function setNewest<K, V>(map: Map<K, V>, [key, value]: [K, V], limit: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > limit) map.delete(map.keys().next().value as K)
}
