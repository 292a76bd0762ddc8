/**
 * Writes what is published to npm: `node --conditions=crier-source scripts/npm-packages.ts URL FOLDER`.
 * The packages are those that a service serves, and name the repository, of which npm's provenance says
 * that they were built from it. Crier's manifests name none, as it has no public home.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type PackageName, packPackage } from 'crier-server/http/packages/pack.ts'

const [address = '', folder = ''] = process.argv.slice(2)
const url = URL.parse(address)
if (url?.protocol !== 'https:' || url.pathname.length < 2 || folder === '') {
  console.error(
    'Name the repository and a folder: npm-packages.ts https://git.example.com/crier/crier out',
  )
  process.exit(2)
}

await mkdir(folder, { recursive: true })
for (const name of ['sdk', 'cli'] satisfies PackageName[]) {
  const manifest = path.join(import.meta.dirname, '..', name, 'package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const file = path.join(folder, `crier-${name}-${version}.tgz`)
  const repository = { type: 'git', url: `git+${url.href}`, directory: name } as const
  await writeFile(file, await packPackage(name, repository))
  console.log(file)
}
