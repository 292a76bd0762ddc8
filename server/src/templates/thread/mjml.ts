/** Converts MJML to HTML. Loaded with the first template that needs it, because it takes 30 MB. */
import mjml from 'mjml-core'
import preset from 'mjml-preset-core'
import { isTooDeep, SourceError, tooDeep } from './source-error.ts'

export async function fromMjml(source: string): Promise<string> {
  // The compiler drops includes without notice, and a file is not what the author would get.
  if (/<mj-include\b/i.test(source)) {
    throw new SourceError('mjml', 'cannot have mj-include: write what it would bring.')
  }
  const { html, errors } = await convert(source)
  const [first] = errors
  if (first) throw new SourceError('mjml', `is not right in line ${first.line}: ${first.message}`)
  return html
}

async function convert(source: string) {
  try {
    return await mjml.default(source, {
      validationLevel: 'soft',
      ignoreIncludes: true,
      keepComments: false,
      minify: false,
      beautify: false,
      // Web fonts would be fetched from other servers each time a recipient opens the mail.
      fonts: {},
      presets: [preset],
    })
  } catch (error) {
    if (isTooDeep(error)) throw new SourceError('mjml', tooDeep)
    const text = error instanceof Error ? error.message : String(error)
    throw new SourceError('mjml', `is not right: ${text.slice(0, 200)}`)
  }
}
