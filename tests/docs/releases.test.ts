/** docs/releases.md, the changelog and the packages agree on the releases. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { readReleases } from '../support/releases.ts'
import { root, textOf } from './fences.ts'

const releases = readReleases()

test('the changelog has a section for each release, in the same order', () => {
  const sections = [...textOf('CHANGELOG.md').matchAll(/^## (v\S+) \((\d{4}-\d\d-\d\d)\)$/gm)]
  const listed = releases.map(({ version, date }) => `${version} ${date}`)
  assert.deepEqual(
    sections.map(([, version, date]) => `${version} ${date}`),
    listed,
  )
  assert.ok(listed.length > 1, 'no releases were seen')
})

test('the newest release is the version of the packages', () => {
  for (const folder of ['.', 'server', 'sdk', 'cli', 'web']) {
    const { version } = JSON.parse(textOf(path.join(folder, 'package.json')))
    assert.equal(`v${version}`, releases[0]?.version, folder)
  }
})

test('each commit exists, and its packages have the version of the release', {
  skip: !hasHistory() && 'NOT TESTED: this copy has no history, or not all of it',
}, () => {
  for (const { version, commit } of releases) {
    const manifest = execFileSync('git', ['show', `${commit}:package.json`], { cwd: root })
    assert.equal(`v${JSON.parse(manifest.toString()).version}`, version)
  }
})

/** An archive has no history, and a shallow clone lacks commits. */
function hasHistory(): boolean {
  if (!existsSync(path.join(root, '.git'))) return false
  const shallow = execFileSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: root })
  return shallow.toString().trim() === 'false'
}
