/**
 * The script of the documentation (`web/docs.js`) with what it loads when somebody searches, at paths that identify their content and so may be cached for ever.
 */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { sha256 } from '../../lib/crypto/vault.ts'

const script = readFileSync(new URL('../../../../web/docs.js', import.meta.url))
const ranking = readFileSync(new URL('../../reference/ranking.js', import.meta.url))
const folder = `/assets/${sha256(Buffer.concat([script, ranking]))
  .toString('base64url')
  .slice(0, 16)}`

export const docsScriptPath = `${folder}/docs.js`

/** The script and, beside it, what it imports by these names. */
export const docsScripts: Record<string, () => Buffer | string> = {
  [docsScriptPath]: () => script,
  [`${folder}/ranking.js`]: () => ranking,
  [`${folder}/minisearch.js`]: searchLibrary,
}

export function registerDocsScript(scope: FastifyInstance): void {
  for (const [path, source] of Object.entries(docsScripts)) {
    scope.get(path, (_request, reply) =>
      reply
        .headers({
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
        })
        .send(source()),
    )
  }
}

/** MiniSearch as a module for browsers, without its source map. */
function searchLibrary(): string {
  const source = readFileSync(new URL(import.meta.resolve('minisearch')), 'utf8')
  return source.slice(0, source.lastIndexOf('//# sourceMappingURL'))
}
