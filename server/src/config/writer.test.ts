import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { ConfigError } from './readers.ts'

const writerOf = (url: string, more: Record<string, string> = {}) =>
  readConfig({ WRITER_URL: url, WRITER_KEY: 'sk-1', WRITER_MODEL: 'm', ...more }).writer

test('without WRITER_URL there is no model', () => {
  assert.equal(readConfig({}).writer, undefined)
})

const addresses: [string, string, string][] = [
  ['https://api.openai.com/v1', 'openai', 'https://api.openai.com/v1/chat/completions'],
  ['https://api.openai.com', 'openai', 'https://api.openai.com/v1/chat/completions'],
  ['https://api.anthropic.com', 'anthropic', 'https://api.anthropic.com/v1/messages'],
  ['https://api.anthropic.com/v1/', 'anthropic', 'https://api.anthropic.com/v1/messages'],
  ['https://llm.example/proxy/v1/messages', 'anthropic', 'https://llm.example/proxy/v1/messages'],
  ['https://llm.example/x/chat/completions', 'openai', 'https://llm.example/x/chat/completions'],
  ['http://localhost:11434', 'openai', 'http://localhost:11434/v1/chat/completions'],
  ['http://ollama:11434/v1', 'openai', 'http://ollama:11434/v1/chat/completions'],
  ['http://10.0.0.7/v1', 'openai', 'http://10.0.0.7/v1/chat/completions'],
]

for (const [url, protocol, endpoint] of addresses) {
  test(`the address WRITER_URL=${url} is called with the protocol ${protocol} at ${endpoint}`, () => {
    assert.deepEqual(writerOf(url), { protocol, url: endpoint, key: 'sk-1', model: 'm' })
  })
}

test('a model in the local network needs no key', () => {
  const { writer } = readConfig({ WRITER_URL: 'http://localhost:11434', WRITER_MODEL: 'm' })
  assert.equal(writer?.key, undefined)
})

const bad: [string, Record<string, string>, RegExp][] = [
  ['a key alone', { WRITER_KEY: 'sk-1' }, /^WRITER_KEY needs WRITER_URL/],
  ['a model alone', { WRITER_MODEL: 'm' }, /^WRITER_MODEL needs WRITER_URL/],
  ['no model', { WRITER_URL: 'https://llm.example' }, /^WRITER_MODEL is missing/],
  [
    'no key where one is needed',
    { WRITER_URL: 'https://api.anthropic.com', WRITER_MODEL: 'm' },
    /^WRITER_KEY is missing: api.anthropic.com/,
  ],
  [
    'plain http to the internet',
    { WRITER_URL: 'http://llm.example', WRITER_MODEL: 'm' },
    /^WRITER_URL can be http:\/\/ only for a host of your own network/,
  ],
  ['no URL', { WRITER_URL: 'openai', WRITER_MODEL: 'm' }, /^WRITER_URL must be https:/],
  [
    'a key with a line break',
    { WRITER_URL: 'https://llm.example', WRITER_MODEL: 'm', WRITER_KEY: 'a\nb' },
    /^WRITER_KEY must be printable ASCII/,
  ],
]

for (const [what, env, message] of bad) {
  test(`writer settings with ${what} stop the start, with a message that says what is valid`, () => {
    assert.throws(
      () => readConfig(env),
      (error) => error instanceof ConfigError && message.test(error.message),
    )
  })
}

test('a password within WRITER_URL is not repeated in the error message', () => {
  const env = { WRITER_URL: 'https://me:hunter2@llm.example', WRITER_MODEL: 'm' }
  assert.throws(
    () => readConfig(env),
    (error) => error instanceof ConfigError && !error.message.includes('hunter2'),
  )
})
