/**
 * The SDK and the command line of this installation. `/sdk.tgz` and `/cli.tgz` lead to the current
 * ones; `/packages/sdk-1.2.0.tgz` is one version, which stays as it is: the database has every
 * version that was ever served, so that a lock file goes on to work after an upgrade.
 */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../core/errors.ts'
import { lazily } from '../../lib/concurrency/lazily.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { packageFiles, packagePath } from '../../reference/packages.ts'
import type { PackageName } from './pack.ts'

/** Short, so that a new release is seen soon. */
const maxAge = 300
const year = 31_536_000

interface PackageDeps {
  db: Db
  clock: Clock
}

export function registerPackages(app: FastifyInstance, deps: PackageDeps): void {
  const names = Object.keys(packageFiles) as PackageName[]
  const current = new Map(names.map((name) => [name, lazily(() => storeCurrent(deps, name))]))
  for (const name of names) {
    app.get(packageFiles[name], async (_request, reply) => {
      const file = await current.get(name)?.get()
      reply.header('cache-control', `public, max-age=${maxAge}`)
      return reply.redirect(`/packages/${file}`, 302)
    })
  }
  app.get<{ Params: { file: string } }>('/packages/:file', async (request, reply) => {
    const { file } = request.params
    const name = names.find((packageName) => file.startsWith(`${packageName}-`))
    // The first who asks for the current version may do so before anybody was led to it.
    if (name) await current.get(name)?.get()
    const packageFile = await deps.db.maybe<{ sha256: Buffer; bytes: Buffer }>(
      sql`select sha256, bytes from package_files where file = ${file}`,
    )
    if (!packageFile)
      throw refuse('not_found', `This service has served no package ${file.slice(0, 100)}.`)
    const etag = `"${packageFile.sha256.toString('base64url').slice(0, 22)}"`
    reply.headers({ etag, 'cache-control': `public, max-age=${year}, immutable` })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/gzip').send(packageFile.bytes)
  })
}

/** The name under which the package of this release is stored. */
async function storeCurrent({ db, clock }: PackageDeps, name: PackageName): Promise<string> {
  // Loaded and packed at the first request, because most processes never get one.
  const { packPackage } = await import('./pack.ts')
  const bytes = await packPackage(name)
  const hash = sha256(bytes)
  const released = packagePath(name).slice('/packages/'.length)
  // Between two releases the bytes change and the version does not: such a build has a name of its own.
  const own = `${released.slice(0, -'.tgz'.length)}-${hash.toString('hex').slice(0, 12)}.tgz`
  for (const file of [released, own]) {
    await db.run(sql`
      insert into package_files (file, sha256, bytes, created_at)
      values (${file}, ${hash}, ${bytes}, ${clock.now()})
      on conflict (file) do nothing
    `)
    const stored = await db.one<{ sha256: Buffer }>(
      sql`select sha256 from package_files where file = ${file}`,
    )
    if (hash.equals(stored.sha256)) return file
  }
  throw new Error(`${own} is stored with other bytes`)
}
