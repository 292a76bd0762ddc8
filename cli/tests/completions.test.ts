/** The scripts of `crier completion`, run by the shells themselves, which list the next words. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { Home } from './crier.ts'

const run = promisify(execFile)
let home: Home

before(async () => {
  home = await Home.make()
})
after(() => home.remove())

/** Makes a shell list its completions for these words; the last word is half typed. */
const shells = {
  bash: (script: string, words: readonly string[]) =>
    `source ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _crier; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (script: string, words: readonly string[]) =>
    `compdef() { :; }; compadd() { shift; print -l -- $@ }; source ${script}; words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _crier`,
  fish: (script: string, words: readonly string[]) =>
    `source ${script}; complete --do-complete '${words.join(' ')}'`,
}

for (const [shell, ask] of Object.entries(shells)) {
  const program = ['/usr/bin', '/bin'].map((folder) => path.join(folder, shell)).find(existsSync)
  const skip = !program && !process.env['CI'] && `NOT RUN: ${shell} is not installed`
  test(`${shell} completes commands, operations and options`, { skip }, async () => {
    const script = path.join(home.folder, `crier.${shell}`)
    const { stdout, stderr } = await home.run(['completion', shell])
    assert.equal(stderr, '')
    await writeFile(script, stdout)
    const offered = async (...words: string[]) => {
      const text = ask(script, ['crier', ...words])
      const { stdout: said } = await run(program ?? shell, ['-c', text], { env: home.env })
      return said.split('\n').map((line) => line.split('\t')[0] ?? '')
    }
    assert.ok((await offered('cam')).includes('campaign'))
    assert.ok((await offered('campaign', 'w')).includes('why'))
    assert.ok((await offered('campaigns', 'watch', '--s')).includes('--server'))
    assert.ok((await offered('contact', 'upsert', '--e')).includes('--email'))
    const inside = await offered('webhook', 'save', '--url', 'https://example.com', '--ev')
    // A value that is not an option is an ordinary word: nothing wrong is offered after it.
    assert.ok(!inside.includes('campaign'))
  })
}

test('an unknown shell is a usage error', async () => {
  const { code, stderr } = await home.run(['completion', 'tcsh'])
  assert.equal(code, 2)
  assert.match(stderr, /bash, zsh, fish/)
})
