/** The secret with which this machine signs forwarded events: never that of a real webhook. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { listenFolder } from '../config-folder.ts'
import { readOrMake } from './private-file.ts'

/** One for each server, created once, so that the receiver's setting stays valid. */
export function localSecret(url: string): Promise<string> {
  const make = () => `whsec_${randomBytes(32).toString('base64url')}`
  return readOrMake(path.join(listenFolder(url), 'secret'), make)
}
