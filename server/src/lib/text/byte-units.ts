/** A number of bytes for people: 1000 bytes, 64 KiB, 4 MiB. */
export function inUnits(bytes: number): string {
  if (bytes % 1024 !== 0) return `${bytes} bytes`
  return bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`
}
