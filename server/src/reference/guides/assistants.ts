import type { Operation } from '../../core/operation.ts'
import { heading, list, type Page, steps, table, text } from '../blocks.ts'
import type { Site } from '../site.ts'

export function assistantsGuide(catalog: readonly Operation[], { appUrl, slug }: Site): Page {
  const tools = catalog.filter(({ unlisted }) => !unlisted)
  const everyday = tools.filter((tool) => tool.everyday)
  const confirmed = tools.filter(({ hints }) => hints.destructive)
  const rows = (operations: readonly Operation[]) =>
    operations.map(({ name, title, scope }) => [
      `[${name}](operations/${name})`,
      title,
      `\`${scope}\``,
    ])
  return {
    path: 'guides/assistants',
    title: 'Connect an assistant',
    about:
      'An assistant that speaks MCP, such as Claude or ChatGPT, does the work of the app by tools. You give it one address, and decide on the consent page what it may do.',
    keywords: 'mcp server url paste oauth client claude chatgpt cursor codex n8n confirmation',
    blocks: [
      heading('The address'),
      text(
        `Paste this as the URL of a remote MCP server, without a key: \`${appUrl}/mcp\`. It is the same as \`${appUrl}/api/functions/${slug}-mcp\`, which programs may prefer because it never changes.`,
      ),
      steps(
        'Add the address where your assistant keeps its connectors, integrations or MCP servers.',
        'It registers itself by OAuth and opens a page of this service. Enter your address and follow the link in the mail.',
        'Choose the businesses it works in, what it may do, whether it sees addresses in full or masked, how many people it may reach a day without asking, and whether it may take data out.',
        'Ask it something harmless first: “How many contacts do I have, and how many of them agreed to mail?”',
      ),
      text(
        'A program that runs without a person uses an API key as its bearer token: [send from your code](guides/send-from-your-code).',
      ),
      heading('What waits for a person'),
      list(
        'A campaign or an automation that an assistant orders waits for a person, unless it stays below the number that an owner allows a day. The answer has `approval_url`, where the person sees the mail, the rule and the number of people.',
        'Without “May take data out”, exports, webhooks to new hosts and removed domains are done by a person: the answer has the page as `url`.',
        'Everything that an assistant did is listed on its page under Connections, and **Stop** ends its work at once.',
      ),
      heading('Which tools it sees'),
      text(
        `It is offered ${everyday.length} everyday tools, as far as its scopes allow. [meta.find](operations/meta.find) finds the others by what they do, and \`meta.call\` calls them. \`${appUrl}/mcp?areas=contacts,forms\` lists only those areas, \`?areas=all\` all tools, \`?read_only=1\` those that change nothing.`,
      ),
      table(['tool', 'does', 'scope'], rows(everyday)),
      heading('Tools that hosts ask you to confirm'),
      text(
        'These are marked as destructive: they send, overwrite, move or remove. Most assistants ask before each such call.',
      ),
      table(['tool', 'does', 'scope'], rows(confirmed)),
    ],
  }
}
