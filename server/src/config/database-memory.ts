/** DATABASE_MEMORY: what the embedded database takes for its buffers. */
import os from 'node:os'
import { readInteger } from './readers.ts'

const megabyte = 2 ** 20

/** In megabytes. More than a terabyte is a number in other units. */
export const databaseMemory = { least: 32, most: 1_000_000 } as const

/** By itself a quarter of the machine, or of what its container may take. */
export function readDatabaseMemory(
  text: string | undefined,
  machine: { total: number; container: number } = {
    total: os.totalmem(),
    container: process.constrainedMemory() || Number.POSITIVE_INFINITY,
  },
): number {
  const { least: minimum, most: maximum } = databaseMemory
  if (text !== undefined) {
    return readInteger(text, 'DATABASE_MEMORY', minimum, maximum) * megabyte
  }
  const quarter = Math.floor(Math.min(machine.total, machine.container) / 4 / megabyte)
  return Math.min(maximum, Math.max(minimum, quarter)) * megabyte
}
