/** The secret that this machine signs with when it forwards: never one of a real webhook. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { listenFolder } from '../config-folder.ts'
import { readOrMake } from './private-file.ts'

/** One for each server, made once, so that the receiver's setting stays right. */
export function localSecret(url: string): Promise<string> {
  const make = () => `whsec_${randomBytes(32).toString('base64url')}`
  return readOrMake(path.join(listenFolder(url), 'secret'), make)
}
