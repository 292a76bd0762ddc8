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
<p>${words.inBrowser}</p>
<p>${words.beginning}</p>
${hostsOf(address, words).map(
  ({ name, steps, code, more }) => html`<section class="card">
<h2>${name}</h2>
<p>${steps}</p>
${code === undefined ? undefined : html`<pre><code>${code}</code></pre>`}
${more === undefined ? undefined : html`<p>${more}</p>`}
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

interface Host {
  name: string
  steps: string
  /** What is pasted into a terminal or a file. */
  code?: string
  more?: string
}

function hostsOf(address: string, words: ConnectWords): Host[] {
  const config = (root: string, more: object = {}) =>
    JSON.stringify({ [root]: { crier: { ...more, url: address } } }, null, 2)
  return [
    { name: 'Claude', steps: words.claude },
    {
      name: 'Claude Code',
      steps: words.terminal,
      code: `claude mcp add --transport http crier ${address}`,
    },
    { name: 'ChatGPT', steps: words.chatgpt },
    {
      name: 'VS Code',
      steps: words.file('.vscode/mcp.json'),
      code: config('servers', { type: 'http' }),
    },
    {
      name: 'Cursor',
      steps: words.file('.cursor/mcp.json'),
      code: config('mcpServers'),
    },
    {
      name: 'Codex',
      steps: words.terminal,
      code: `codex mcp add crier --url ${address}\ncodex mcp login crier`,
    },
    { name: 'n8n', steps: words.n8n, more: words.byKey },
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
  /** What a connection may do unless its person chooses otherwise. */
  beginning: string
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
      'The assistant then opens a page of Crier, where you sign in and choose what it may do, in which businesses, and whether it sees addresses.',
    beginning:
      'Unless you choose otherwise it sees addresses masked (a…@example.com), takes no data out, sends receipts to 100 people a day, and asks you before anything goes to more people than you allow. Some assistants open the page for your approval; the others give you its link.',
    byKey:
      'Make an API key in the app under API keys, and paste it as the token. A workflow with a key runs without you: it sees whole addresses and sends 1,000 transactional messages a day. What goes to many waits for you here too.',
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
      'Der Assistent öffnet danach eine Seite von Crier, auf der Sie sich anmelden und wählen, was er darf, in welchen Unternehmen, und ob er Adressen sieht.',
    beginning:
      'Wenn Sie nichts anderes wählen, sieht er Adressen gekürzt (a…@example.com), gibt keine Daten heraus, sendet Belege und Ähnliches an höchstens 100 Personen am Tag und fragt Sie, bevor etwas an mehr Personen geht, als Sie erlauben. Manche Assistenten öffnen die Seite für Ihre Freigabe selbst, die anderen geben Ihnen den Link.',
    byKey:
      'In der App unter API-Schlüssel einen Schlüssel erstellen und als Token einfügen. Ein Ablauf mit einem Schlüssel läuft ohne Sie: Er sieht ganze Adressen und sendet 1.000 Transaktionsnachrichten am Tag. Was an viele geht, wartet auch hier auf Sie.',
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
      'L’assistant ouvre ensuite une page de Crier, où vous vous connectez et choisissez ce qu’il peut faire, dans quelles entreprises, et s’il voit les adresses.',
    beginning:
      'Sauf autre choix de votre part, il voit les adresses masquées (a…@example.com), ne sort aucune donnée, envoie des reçus à 100 personnes par jour et vous demande avant d’écrire à plus de personnes que vous ne l’autorisez. Certains assistants ouvrent eux-mêmes la page d’approbation, les autres vous donnent son lien.',
    byKey:
      'Créez une clé API dans l’application et collez-la comme jeton. Un workflow avec une clé tourne sans vous\u00a0: il voit les adresses entières et envoie 1\u202f000 messages transactionnels par jour. Les envois groupés attendent ici aussi votre accord.',
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
