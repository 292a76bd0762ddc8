import type { FastifyInstance } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import { sql } from '../../../lib/db/db.ts'
import { html } from '../../../lib/text/html.ts'
import { pageLanguageOf } from '../auth/sign-in-words.ts'
import { accountBar } from '../shared/account-bar.ts'
import { linksTo } from '../shared/inbox-rule.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'

/** The first page: to set up or open the app, links to the other pages, and how to connect an assistant. */
export function registerHome(scope: FastifyInstance, parts: PageParts): void {
  scope.get('/', async (request, reply) => {
    const session = await parts.cookies.session(request, reply)
    const language = pageLanguageOf(request)
    const words = homePageWords(language)
    const { used } = await parts.db.one<{ used: boolean }>(
      sql`select exists (select from users) as used`,
    )
    const { inbox, phones } = linksTo(parts.config, request)
    const pages = [
      { href: '/account/invitations', ...words.invitations },
      { href: '/docs', ...words.docs },
      ...(inbox ? [{ href: '/inbox', ...words.inbox }] : []),
      ...(phones ? [{ href: '/phones', ...words.phones }] : []),
    ]
    return sendPage(reply, {
      title: 'Crier',
      language,
      wide: true,
      nav: accountBar(parts, request, reply, session, '/'),
      body: html`<h1>${words.running}</h1>
<section>
<h2>${used ? words.app : words.setUp}</h2>
<p>${used ? words.appAbout : words.setUpAbout}</p>
${used && html`<p><a class="button" href="/b">${words.open}</a></p>`}
</section>
<section>
<h2>${words.pages}</h2>
<ul class="places">${pages.map(
        (page) =>
          html`<li><a href="${page.href}">${page.name}</a><span class="fine">${page.about}</span></li>`,
      )}</ul>
</section>
<section>
<h2>${words.assistant}</h2>
<p>${words.assistantAbout}</p>
<p class="copy"><code>${parts.oauth.addresses.toolEndpoint}</code></p>
</section>`,
    })
  })
}

export const homePageWords = (language: MailLanguage) =>
  ({ en: english, de: german, fr: french })[language]

const english = {
  running: 'Crier is running',
  setUp: 'Set up',
  setUpAbout:
    'Open the link “Finish setup” that the start printed. It creates the first account and your business. crier setup-link prints a new one.',
  app: 'Your businesses',
  appAbout: 'Contacts, forms, campaigns, automations and reports.',
  open: 'Open the app',
  pages: 'More pages',
  invitations: {
    name: 'Invitations',
    about: 'Businesses that invited you to become a member.',
  },
  docs: {
    name: 'Guides and reference',
    about: 'How to use the service, in the app and by program.',
  },
  inbox: {
    name: 'Test inbox',
    about: 'All email this installation sends. Nothing leaves this machine.',
  },
  phones: {
    name: 'Test phones',
    about: 'All text messages this installation sends. You can reply to them here.',
  },
  assistant: 'Connect an assistant',
  assistantAbout:
    'Give this address to any assistant or client that supports MCP. It sends you here to approve access.',
}

const german: typeof english = {
  running: 'Crier läuft',
  setUp: 'Einrichten',
  setUpAbout:
    'Öffnen Sie den Link „Finish setup“, den der Start ausgegeben hat. Er legt das erste Konto und Ihr Unternehmen an. crier setup-link gibt einen neuen aus.',
  app: 'Ihre Unternehmen',
  appAbout: 'Kontakte, Formulare, Kampagnen, Automationen und Berichte.',
  open: 'App öffnen',
  pages: 'Weitere Seiten',
  invitations: {
    name: 'Einladungen',
    about: 'Unternehmen, die Sie als Mitglied eingeladen haben.',
  },
  docs: {
    name: 'Anleitungen und Referenz',
    about: 'Wie man den Dienst nutzt, in der App und mit Programmen. Auf Englisch.',
  },
  inbox: {
    name: 'Testpostfach',
    about: 'Alle E-Mails dieser Installation. Nichts verlässt diesen Rechner.',
  },
  phones: {
    name: 'Testtelefone',
    about: 'Alle SMS dieser Installation. Hier können Sie auch antworten.',
  },
  assistant: 'Einen Assistenten verbinden',
  assistantAbout:
    'Geben Sie diese Adresse einem Assistenten oder Programm, das MCP unterstützt. Den Zugriff erlauben Sie hier.',
}

const french: typeof english = {
  running: 'Crier fonctionne',
  setUp: 'Configurer',
  setUpAbout:
    'Ouvrez le lien «\u00a0Finish setup\u00a0» affiché au démarrage. Il crée le premier compte et votre entreprise. crier setup-link en affiche un nouveau.',
  app: 'Vos entreprises',
  appAbout: 'Contacts, formulaires, campagnes, automatisations et rapports.',
  open: 'Ouvrir l’application',
  pages: 'Autres pages',
  invitations: {
    name: 'Invitations',
    about: 'Les entreprises qui vous ont invité à devenir membre.',
  },
  docs: {
    name: 'Guides et référence',
    about: 'Comment utiliser le service, dans l’application et par programme. En anglais.',
  },
  inbox: {
    name: 'Boîte de test',
    about: 'Tous les e-mails de cette installation. Rien ne quitte cette machine.',
  },
  phones: {
    name: 'Téléphones de test',
    about: 'Tous les SMS de cette installation. Vous pouvez y répondre ici.',
  },
  assistant: 'Connecter un assistant',
  assistantAbout:
    'Donnez cette adresse à un assistant ou à un programme compatible MCP. Vous approuvez l’accès ici.',
}
