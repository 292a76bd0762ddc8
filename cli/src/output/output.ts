/** Results: one line of JSON where another program reads, and a readable layout for a person. */
import { pretty } from './pretty.ts'

export interface PrintOptions {
  /** For a person: shows everything in full. Programs always get everything. */
  full?: boolean
  stream?: NodeJS.WriteStream
}

export function print(value: unknown, options: PrintOptions = {}): void {
  const { full = false, stream = process.stdout } = options
  // Some terminals report 0 when they do not know their width.
  const layout = { full, width: stream.columns || 100 }
  stream.write(`${stream.isTTY ? pretty(value, layout) : JSON.stringify(value)}\n`)
}

/** Prints a message for the person on stderr, so that it never ends up in a pipe. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
