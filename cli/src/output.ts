/** Results: one line of JSON where another program reads, something to look at where a person does. */
import { pretty } from './pretty.ts'

export function print(value: unknown, stream: NodeJS.WriteStream = process.stdout): void {
  stream.write(`${stream.isTTY ? pretty(value) : JSON.stringify(value)}\n`)
}

/** A word to the person, kept off stdout so that it never ends up in a pipe. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
