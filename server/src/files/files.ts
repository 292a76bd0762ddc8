/** Files that people upload, stored until they are read: on this machine's disk, or in a bucket. */

export interface Files {
  /** Stores the whole content under this name, or nothing if `source` fails. */
  write(name: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /** Reads from a byte position on; throws `FileMissing` if there is no such file. */
  read(name: string, from?: number): AsyncIterable<Uint8Array>
  /** The SHA-256 of the whole content; throws `FileMissing` if there is no such file. */
  sha256(name: string): Promise<Buffer>
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>
}

export class FileMissing extends Error {
  override name = 'FileMissing'

  constructor(name: string) {
    super(`there is no file ${name}`)
  }
}
