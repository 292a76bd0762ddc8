/** Results: one line of JSON where another program reads, something to look at where a person does. */
import { pretty } from './pretty.ts'

export interface PrintOptions {
  /** For a person: everything, however long it is. Programs always get everything. */
  full?: boolean
  stream?: NodeJS.WriteStream
}

export function print(value: unknown, options: PrintOptions = {}): void {
  const { full = false, stream = process.stdout } = options
  // Some terminals say 0: they do not know.
  const layout = { full, width: stream.columns || 100 }
  stream.write(`${stream.isTTY ? pretty(value, layout) : JSON.stringify(value)}\n`)
}

/** A word to the person, kept off stdout so that it never ends up in a pipe. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
