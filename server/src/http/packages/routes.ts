/** The SDK and the command line of this installation, at `/sdk.tgz` and `/cli.tgz`. */
import type { FastifyInstance } from 'fastify'
import { lazily } from '../../lib/concurrency/lazily.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import { packageFiles } from '../../reference/packages.ts'
import type { PackageName } from './pack.ts'

/** Short, so that a new release is seen soon. In between the ETag saves the bytes. */
const maxAge = 300

export function registerPackages(app: FastifyInstance): void {
  for (const name of Object.keys(packageFiles) as PackageName[]) {
    const file = lazily(async () => {
      // Loaded and packed at the first request, because most processes never get one.
      const { packPackage } = await import('./pack.ts')
      const bytes = await packPackage(name)
      return { bytes, etag: `"${sha256(bytes).toString('base64url').slice(0, 22)}"` }
    })
    app.get(packageFiles[name], async (request, reply) => {
      const { bytes, etag } = await file.get()
      reply.headers({ etag, 'cache-control': `public, max-age=${maxAge}` })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type('application/gzip').send(bytes)
    })
  }
}
