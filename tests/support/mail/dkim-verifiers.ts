/**
 * Three programs that check DKIM signatures, by three authors in three languages: mailauth (npm),
 * dkimpy (Debian's python3-dkim) and opendkim. Each one gets the public keys from the test.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'

/** TXT records by their name, such as `s1._domainkey.example.com`. */
export type KeyRecords = Record<string, string>

export interface Verifier {
  name: string
  /** The Debian package to install if the program is missing. */
  missing?: string
  /** For each message, its signatures' selectors in order, and whether each signature is valid. */
  verify(messages: Buffer[], keys: KeyRecords): Promise<[selector: string, holds: boolean][][]>
}

const run = promisify(execFile)

const mailauth: Verifier = {
  name: 'mailauth',
  verify: (messages, keys) =>
    Promise.all(
      messages.map(async (message) => {
        const { results } = await dkimVerify(message, {
          async resolver(name: string) {
            const record = keys[name]
            if (record === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
            return [[record]]
          },
        })
        return results.map(({ selector = '', status }) => [selector, status?.result === 'pass'])
      }),
    ),
}

const debianPython = '/usr/bin/python3'
const dkimpyModule = '/usr/lib/python3/dist-packages/dkim'

const dkimpyScript = `
import dkim, json, sys
keys = json.load(open(sys.argv[1]))
def txt(name, timeout=5):
    return keys[name.decode().rstrip('.')].encode()
def holds(message, n):
    try:
        return dkim.DKIM(message).verify(idx=n, dnsfunc=txt)
    except dkim.DKIMException:
        return False
def selector(field):
    return dkim.util.parse_tag_value(field)[b's'].decode()
answers = []
for file in sys.argv[2:]:
    message = open(file, 'rb').read()
    fields = [v for k, v in dkim.DKIM(message).headers if k.lower() == b'dkim-signature']
    answers.append([[selector(v), holds(message, n)] for n, v in enumerate(fields)])
print(json.dumps(answers))
`

const dkimpy: Verifier = {
  name: 'dkimpy',
  ...(!(existsSync(debianPython) && existsSync(dkimpyModule)) && { missing: 'python3-dkim' }),
  verify: (messages, keys) =>
    withFiles(messages, async (folder, files) => {
      const known = path.join(folder, 'keys.json')
      await writeFile(known, JSON.stringify(keys))
      const { stdout } = await run(debianPython, ['-c', dkimpyScript, known, ...files])
      return JSON.parse(stdout)
    }),
}

const opendkimProgram = '/usr/sbin/opendkim'

const opendkim: Verifier = {
  name: 'opendkim',
  ...(!existsSync(opendkimProgram) && { missing: 'opendkim' }),
  verify: (messages, keys) =>
    withFiles(messages, async (folder, files) => {
      const records = path.join(folder, 'keys')
      const lines = Object.entries(keys).map(([name, record]) => `${name} ${record}\n`)
      await writeFile(records, lines.join(''))
      const settings = path.join(folder, 'opendkim.conf')
      await writeFile(settings, `Mode v\nTestDNSData file:${records}\n`)
      // Each file gives one Authentication-Results field, with a result for each signature.
      const { stdout } = await run(opendkimProgram, ['-x', settings, '-vv', '-t', files.join(',')])
      return stdout
        .split('### INSHEADER')
        .slice(1)
        .map((field) =>
          [...field.matchAll(/dkim=(\w+)[^;]*header\.s=([\w-]+)/g)].map(
            ([, result, selector = '']): [string, boolean] => [selector, result === 'pass'],
          ),
        )
    }),
}

export const verifiers = [mailauth, dkimpy, opendkim]

async function withFiles<T>(
  messages: Buffer[],
  work: (folder: string, files: string[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'crier-dkim-'))
  try {
    const files = messages.map((_, n) => path.join(folder, `${n}.eml`))
    await Promise.all(files.map((file, n) => writeFile(file, messages[n] ?? '')))
    return await work(folder, files)
  } finally {
    await rm(folder, { recursive: true })
  }
}
