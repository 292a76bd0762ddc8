import type { Operation } from '../../core/operation.ts'
import { version } from '../../version.ts'
import { heading, type Page, table, text } from '../blocks.ts'
import type { Site } from '../site.ts'

/** The first page for a reader. */
export function indexPage(
  catalog: readonly Operation[],
  { appUrl, gatewayUrl, slug }: Site,
  guides: readonly Page[],
): Page {
  return {
    path: 'index',
    title: 'Overview',
    about: `Crier holds forms, contacts and consent, email, SMS, campaigns, sender domains and webhooks of one or many businesses. This is the reference of ${version}.`,
    blocks: [
      table(
        ['entry point', 'address'],
        [
          ['Tools, for assistants (MCP)', `\`${appUrl}/api/functions/${slug}-mcp\``],
          ['REST, for code', `\`${gatewayUrl}/v1\``],
          ['Description for tools', `[openapi.json](/openapi.json), OpenAPI 3.1`],
          [
            'For assistants that read',
            `[llms.txt](/llms.txt); every page here also ends in \`.md\``,
          ],
        ],
      ),
      text(
        'Both entry points lead to the same operations, with the same token, rights, limits and refusals.',
      ),
      heading('Guides'),
      table(
        ['guide', 'about'],
        guides.map(({ path, title, about }) => [`[${title}](${path})`, about]),
      ),
      heading('Operations'),
      table(
        ['operation', 'does', 'scope'],
        catalog.map(({ name, title, scope }) => [
          `[${name}](operations/${name})`,
          title,
          `\`${scope}\``,
        ]),
      ),
      text('The service reports what happens as [events](events/all).'),
    ],
  }
}
