/**
 * What a browser shows at the address of the tool endpoint: how to connect an assistant there, and
 * what it can do. Clients of the endpoint never see it, since they do not ask for HTML.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type MailLanguage, mailLanguageAmong } from '../../../accounts/businesses/mail-language.ts'
import { acceptedLanguages } from '../../../core/recipient-words/languages.ts'
import { html } from '../../../lib/text/html.ts'
import { sendPage } from '../shared/page.ts'

export function sendConnectPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { appUrl }: { appUrl: string },
): FastifyReply {
  const language = mailLanguageAmong(acceptedLanguages(request.headers['accept-language']))
  const words = wordsIn[language]
  const address = `${appUrl}/mcp`
  const body = html`<h1>${words.title}</h1>
<p>${words.about}</p>
<p><code>${address}</code></p>
${hostsOf(address, words).map(
  ({ name, steps, code, signsIn }) => html`<section class="card">
<h2>${name}</h2>
<p>${steps}</p>
${code === undefined ? undefined : html`<pre><code>${code}</code></pre>`}
<p>${signsIn}</p>
</section>
`,
)}<h2>${words.canTitle}</h2>
<ul>
${words.can.map((line) => html`<li>${line}</li>\n`)}</ul>
<h2>${words.cannotTitle}</h2>
<ul>
${words.cannot.map((line) => html`<li>${line}</li>\n`)}</ul>
<p><a href="/docs/help">${words.guides}</a> · <a href="/b/connections">${words.connections}</a></p>`
  return sendPage(reply, { title: words.title, body, language })
}

function hostsOf(address: string, words: ConnectWords) {
  const config = (root: string, more: object = {}) =>
    JSON.stringify({ [root]: { crier: { ...more, url: address } } }, null, 2)
  const inBrowser = { signsIn: words.inBrowser }
  return [
    { name: 'Claude', steps: words.claude, code: undefined, ...inBrowser },
    {
      name: 'Claude Code',
      steps: words.terminal,
      code: `claude mcp add --transport http crier ${address}`,
      ...inBrowser,
    },
    { name: 'ChatGPT', steps: words.chatgpt, code: undefined, ...inBrowser },
    {
      name: 'VS Code',
      steps: words.file('.vscode/mcp.json'),
      code: config('servers', { type: 'http' }),
      ...inBrowser,
    },
    {
      name: 'Cursor',
      steps: words.file('.cursor/mcp.json'),
      code: config('mcpServers'),
      ...inBrowser,
    },
    {
      name: 'Codex',
      steps: words.terminal,
      code: `codex mcp add crier --url ${address}\ncodex mcp login crier`,
      ...inBrowser,
    },
    { name: 'n8n', steps: words.n8n, code: undefined, signsIn: words.byKey },
  ]
}

interface ConnectWords {
  title: string
  about: string
  claude: string
  chatgpt: string
  terminal: string
  file: (path: string) => string
  n8n: string
  inBrowser: string
  byKey: string
  canTitle: string
  can: string[]
  cannotTitle: string
  cannot: string[]
  guides: string
  connections: string
}

const wordsIn: Record<MailLanguage, ConnectWords> = {
  en: {
    title: 'Connect an assistant',
    about: 'This is the address at which assistants use Crier (MCP, Streamable HTTP):',
    claude: 'Settings, Connectors, “Add custom connector”: paste the address.',
    chatgpt: 'Settings, Apps and connectors, developer mode on, “Create”: paste the address.',
    terminal: 'In a terminal:',
    file: (path) => `In the file ${path}:`,
    n8n: 'Add the node “MCP Client Tool”, paste the address, and choose HTTP Streamable and Bearer.',
    inBrowser:
      'It opens a page of Crier, where you sign in and choose what it may do, in which businesses, and whether it sees addresses.',
    byKey: 'Make an API key in the app under API keys, and paste it as the token.',
    canTitle: 'What it can do',
    can: [
      'Read contacts, forms, campaigns and results, as far as you allow.',
      'Write drafts of emails, forms, segments and automations.',
      'Send campaigns after you approve them, or by itself within a mandate that an owner signs.',
    ],
    cannotTitle: 'What it cannot do',
    cannot: [
      'Approve its own campaigns, change members, raise its limits, or make API keys.',
      'Write to people who unsubscribed, or subscribe them again without their own yes.',
      'Export data or remove domains, unless you allow that on the page of its connection.',
    ],
    guides: 'Guides',
    connections: 'Your connections',
  },
  de: {
    title: 'Einen Assistenten verbinden',
    about: 'Unter dieser Adresse benutzen Assistenten Crier (MCP, Streamable HTTP):',
    claude: 'Einstellungen, Connectors, „Add custom connector“: die Adresse einfügen.',
    chatgpt:
      'Einstellungen, Apps und Connectors, Entwicklermodus an, „Create“: die Adresse einfügen.',
    terminal: 'In einem Terminal:',
    file: (path) => `In der Datei ${path}:`,
    n8n: 'Den Knoten „MCP Client Tool“ hinzufügen, die Adresse einfügen, HTTP Streamable und Bearer wählen.',
    inBrowser:
      'Es öffnet sich eine Seite von Crier, auf der Sie sich anmelden und wählen, was er darf, in welchen Unternehmen, und ob er Adressen sieht.',
    byKey: 'In der App unter API-Schlüssel einen Schlüssel erstellen und als Token einfügen.',
    canTitle: 'Was er kann',
    can: [
      'Kontakte, Formulare, Kampagnen und Ergebnisse lesen, soweit Sie es erlauben.',
      'Entwürfe von E-Mails, Formularen, Segmenten und Automationen schreiben.',
      'Kampagnen senden, nachdem Sie sie freigegeben haben, oder selbst innerhalb eines Mandats, das ein Inhaber unterschreibt.',
    ],
    cannotTitle: 'Was er nicht kann',
    cannot: [
      'Eigene Kampagnen freigeben, Mitglieder ändern, seine Grenzen erhöhen oder API-Schlüssel erstellen.',
      'An Abgemeldete schreiben oder sie ohne ihr eigenes Ja wieder anmelden.',
      'Daten exportieren oder Domains entfernen, außer Sie erlauben es auf der Seite seiner Verbindung.',
    ],
    guides: 'Anleitungen',
    connections: 'Ihre Verbindungen',
  },
  fr: {
    title: 'Connecter un assistant',
    about: 'C’est à cette adresse que les assistants utilisent Crier (MCP, Streamable HTTP) :',
    claude: 'Réglages, Connecteurs, « Add custom connector » : collez l’adresse.',
    chatgpt:
      'Réglages, Applications et connecteurs, mode développeur activé, « Create » : collez l’adresse.',
    terminal: 'Dans un terminal :',
    file: (path) => `Dans le fichier ${path} :`,
    n8n: 'Ajoutez le nœud « MCP Client Tool », collez l’adresse, choisissez HTTP Streamable et Bearer.',
    inBrowser:
      'Une page de Crier s’ouvre, où vous vous connectez et choisissez ce qu’il peut faire, dans quelles entreprises, et s’il voit les adresses.',
    byKey: 'Créez une clé API dans l’application et collez-la comme jeton.',
    canTitle: 'Ce qu’il peut faire',
    can: [
      'Lire contacts, formulaires, campagnes et résultats, dans les limites que vous fixez.',
      'Rédiger des brouillons d’e-mails, de formulaires, de segments et d’automatisations.',
      'Envoyer des campagnes après votre approbation, ou seul dans le cadre d’un mandat signé par un propriétaire.',
    ],
    cannotTitle: 'Ce qu’il ne peut pas faire',
    cannot: [
      'Approuver ses propres campagnes, changer les membres, relever ses limites ou créer des clés API.',
      'Écrire aux personnes désinscrites, ou les réinscrire sans leur propre accord.',
      'Exporter des données ou retirer des domaines, sauf si vous l’autorisez sur la page de sa connexion.',
    ],
    guides: 'Guides',
    connections: 'Vos connexions',
  },
}
