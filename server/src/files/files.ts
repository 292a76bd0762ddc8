/** Files that people bring, kept until they are read: on this machine's disk, or in a bucket. */

export interface Files {
  /** Stores all that comes under this name, or nothing where `source` fails. */
  write(name: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /** The bytes from one on; throws `FileMissing` where there is no such file. */
  read(name: string, from?: number): AsyncIterable<Uint8Array>
  /** Does nothing where there is no such file. */
  remove(name: string): Promise<void>
}

export class FileMissing extends Error {
  override name = 'FileMissing'

  constructor(name: string) {
    super(`there is no file ${name}`)
  }
}
