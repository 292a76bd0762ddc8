import type { company as english } from '../en/company.ts'

export const company: typeof english = {
  title: 'Firmenanmeldung',
  about:
    'Ihr Team meldet sich mit den Konten Ihrer Firma an (Entra, Google Workspace, Okta, Keycloak). Wer neu ist, wird beim ersten Anmelden Mitglied, mit der Rolle seiner Gruppe.',
  setUp: 'Einrichten',
  change: 'Ändern',
  remove: 'Entfernen',
  removeTitle: 'Firmenanmeldung entfernen?',
  removeText:
    'Ihr Team meldet sich wieder per E-Mail oder Passkey an. Mitglieder bleiben Mitglieder.',
  proven: 'Nachgewiesen',
  unproven: 'Nicht nachgewiesen',
  check: 'Prüfen',
  recordName: 'Name des TXT-Eintrags',
  recordValue: 'Sein Wert',
  outcomes: {
    proven: 'Die Domain ist nachgewiesen',
    missing: 'Der Eintrag wurde nicht gefunden. Neue Einträge brauchen bis zu einer Stunde.',
    unanswered: 'DNS hat nicht geantwortet. Versuchen Sie es in einer Minute erneut.',
    lost: 'Ein anderes Unternehmen hat diese Domain hier nachgewiesen.',
  },
  formAbout:
    'OpenID Connect. Die Anleitung „Company sign-in“ nennt die Schritte für Ihren Anbieter.',
  returnUrl: 'Redirect-URI, die Sie beim Anbieter eintragen',
  issuer: 'Aussteller (Issuer)',
  issuerHint:
    'Die Adresse, mit der sich der Anbieter selbst nennt, etwa https://accounts.google.com',
  clientId: 'Client-ID',
  clientSecret: 'Client-Secret',
  secretStays: 'Lassen Sie es leer, um das bisherige zu behalten.',
  name: 'Name, den Ihr Team sieht',
  domains: 'Ihre Mail-Domains',
  domainsHint: 'Eine pro Zeile. Jede weisen Sie danach durch einen DNS-Eintrag nach.',
  groups: 'Rollen nach Gruppe',
  groupsHint: 'Eine pro Zeile, etwa: marketing = editor. Rollen: viewer, approver, editor, admin.',
  defaultRole: 'Rolle aller anderen',
  noRole: 'Keine: sie werden abgewiesen',
  only: 'Nur über die Firma anmelden',
  onlyHint:
    'Personen dieser Domains können E-Mail und andere Passkeys nicht mehr benutzen. Der Passkey, mit dem Sie bestätigen, gilt weiter, wenn der Anbieter ausfällt.',
  trusts: 'Den Adressen des Anbieters vertrauen',
  trustsHint:
    'Für Anbieter, die kein email_verified senden, wie Entra. Nur wenn dort niemand seine Adresse wählen kann.',
}
