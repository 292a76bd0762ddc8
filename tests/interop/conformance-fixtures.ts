/** The tools that the conformance suite calls by name; they exist only in its test. */

import { refuse } from 'crier-server/core/errors.ts'
import { type ContentBlock, type Operation, operation } from 'crier-server/core/operation.ts'
import { Type } from 'typebox'

// An image of one red pixel, and a sound without samples: the smallest files of their kinds.
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text: ContentBlock = { type: 'text', text: 'Spoken by a fixture.' }
const image: ContentBlock = { type: 'image', data: png, mimeType: 'image/png' }
const audio: ContentBlock = { type: 'audio', data: wav, mimeType: 'audio/wav' }
const resource: ContentBlock = {
  type: 'resource',
  resource: { uri: 'test://fixture', mimeType: 'text/plain', text: 'Held by a fixture.' },
}

const common = {
  summary: 'Answers the conformance suite.',
  reach: 'connection',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {},
  output: Type.Object({ fixture: Type.String() }),
} as const

function shows(name: string, ...blocks: ContentBlock[]): Operation {
  return operation({
    ...common,
    name: `fixture.${name}`,
    aliases: [name],
    title: name,
    rest: `GET /v1/fixtures/${name.replaceAll('_', '-')}`,
    content: () => blocks,
    async run() {
      return { fixture: name }
    },
  })
}

const fails = operation({
  ...common,
  name: 'fixture.test_error_handling',
  aliases: ['test_error_handling'],
  title: 'test_error_handling',
  rest: 'GET /v1/fixtures/test-error-handling',
  async run() {
    throw refuse('conflict', 'This fixture always refuses.')
  },
})

const wantsSampling: Operation = {
  ...shows('test_missing_capability', text),
  clientCapabilities: ['sampling'],
}

export const conformanceFixtures: readonly Operation[] = [
  shows('test_simple_text', text),
  shows('test_image_content', image),
  shows('test_audio_content', audio),
  shows('test_embedded_resource', resource),
  shows('test_multiple_content_types', text, image, resource),
  shows('test_logging_tool', text),
  shows('test_streaming_elicitation', text),
  fails,
  wantsSampling,
]
