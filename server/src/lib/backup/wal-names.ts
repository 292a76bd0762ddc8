/** Names of write-ahead log files: a timeline and a position in steps of 16 MB. */

const segmentBytes = 16n * 1024n * 1024n

/** The name of the file that holds this position (`1/3000028`) on that timeline. */
export function walFileAt(timeline: number, lsn: string): string {
  const [high = '0', low = '0'] = lsn.split('/')
  const position = (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  const segment = position / segmentBytes
  const perLog = 0x100000000n / segmentBytes
  return hex(BigInt(timeline)) + hex(segment / perLog) + hex(segment % perLog)
}

/** Whether the file holds log from before `first`, on any timeline. */
export function isWalBefore(name: string, first: string): boolean {
  return isWalName(name) && name.slice(8, 24) < first.slice(8, 24)
}

/** True for a whole segment or a backup note in one. Timeline histories are kept for ever. */
export function isWalName(name: string): boolean {
  const digits = name.slice(0, 24)
  return digits.length === 24 && Buffer.from(digits, 'hex').length === 12
}

const hex = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0')

/** The next file of the same timeline; undefined for a name that is not that of a whole file. */
export function walFileAfter(name: string): string | undefined {
  if (name.length !== 24 || !isWalName(name)) return undefined
  const perLog = 0x100000000n / segmentBytes
  const [log, segment] = [BigInt(`0x${name.slice(8, 16)}`), BigInt(`0x${name.slice(16)}`)]
  const next = log * perLog + segment + 1n
  return name.slice(0, 8) + hex(next / perLog) + hex(next % perLog)
}
