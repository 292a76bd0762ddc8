/** The maximum lengths of the inputs of patterns, and why some patterns get no stranger's text. */
import { briefLimits } from 'crier-server/campaigns/writer/brief.ts'
import { limits } from 'crier-server/config.ts'
import { templateLimits } from 'crier-server/templates/source.ts'

/** The most characters of each kind of input. A row of the table begins with one of these names. */
export const inputs: Record<string, number> = {
  /** A field of a call, before its length is checked. */
  call: limits.toolCallBytes,
  /** A posted form, or a registration. */
  body: limits.bodyBytes,
  /** A path or a header: Node's limit for all of them together. */
  header: 16 * 1024,
  /** A returned mail. */
  mail: limits.returnedMailBytes,
  /** A provider's report on mail, or on texts. */
  hook: limits.providerEventBytes,
  smsHook: limits.smsHookBytes,
  /** A part of a template, as written and as rendered. */
  template: templateLimits.bodyLength,
  rendered: templateLimits.renderedLength,
  /** The text of a brief. */
  goal: briefLimits.length,
  /** The answer of a language model. */
  answer: 256 * 1024,
  /** The response of a mail server or another service to a request. */
  reply: 64 * 1024,
  /** The DNS records of a name. */
  dns: 64 * 1024,
  /** An operator's setting, or a file beside the service. */
  setting: 10_000,
  /** A page or a name in this repository. */
  page: 64 * 1024,
  /** An argument or an answer of a program on a person's own machine. */
  own: 64 * 1024,
}

/** A row may begin with one of these instead, and then its pattern is not tried. */
export const reasons: Record<string, string> = {
  ourPages: 'It reads the pages of docs/, which stand in this repository and are all short.',
  ourPatterns: 'It reads the patterns of the schemas of this program.',
  ourStatements:
    'It reads the text of a statement of this program, whose values stand apart, once for each.',
  ourKeys: 'It takes the padding off base64 of 32 bytes that the program has just made.',
  ownAddress: 'It reads the URL that a person gives to a program on their own machine.',
}
