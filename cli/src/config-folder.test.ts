import assert from 'node:assert/strict'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { configFolder, connectionFile } from './config-folder.ts'

const env = { XDG_CONFIG_HOME: '/xdg' }

test('the settings folder is in XDG_CONFIG_HOME, or in ~/.config where that is not an absolute path', () => {
  assert.equal(configFolder(env), '/xdg/crier')
  const home = path.join(os.homedir(), '.config', 'crier')
  for (const value of [undefined, '', 'relative']) {
    assert.equal(configFolder({ XDG_CONFIG_HOME: value }), home)
  }
})

test('each server has its own connection file, named readably after its host and port', () => {
  const urls = ['http://localhost:8080', 'https://localhost:8080', 'https://a.example/mcp']
  const files = urls.map((url) => connectionFile(url, env))
  assert.equal(new Set(files).size, 3)
  assert.match(files[0] ?? '', /^\/xdg\/crier\/connections\/localhost-8080-[0-9a-f]{8}$/)
})

test('a server address cannot place its connection file outside the folder', () => {
  const file = connectionFile(`https://../../${'x'.repeat(500)}`, env)
  assert.equal(path.dirname(file), '/xdg/crier/connections')
  assert.ok(path.basename(file).length < 80)
})
