/** The stylesheets, at paths that identify their content and so may be cached for ever. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { sha256 } from '../../../lib/crypto/vault.ts'

const pages = read('pages.css')
const docs = read('docs.css')

/** Both, at the paths where they are served. */
export const stylesheets: readonly { path: string; source: Buffer }[] = [pages, docs]

/** The stylesheet of every page. */
export const stylesheetPath = pages.path
/** The additional stylesheet of the reference. */
export const docsStylesheetPath = docs.path

export function registerStylesheet(scope: FastifyInstance): void {
  for (const { path, source } of stylesheets) {
    scope.get(path, (_request, reply) =>
      reply
        .headers({
          'content-type': 'text/css; charset=utf-8',
          'cache-control': 'public, max-age=31536000, immutable',
        })
        .send(source),
    )
  }
}

function read(name: string): { path: string; source: Buffer } {
  const source = readFileSync(new URL(`../../../../../web/${name}`, import.meta.url))
  const mark = sha256(source).toString('base64url').slice(0, 16)
  return { path: `/assets/${mark}/${name}`, source }
}
