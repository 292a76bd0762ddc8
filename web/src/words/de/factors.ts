import type {
  address as englishAddress,
  companyAccounts as englishCompanyAccounts,
  confirm as englishConfirm,
  factors as englishFactors,
  ownership as englishOwnership,
  rules as englishRules,
} from '../en/factors.ts'

export const factors: typeof englishFactors = {
  title: 'Authentifizierungs-App',
  about:
    'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code. Ist sie eingerichtet, wird bei der Anmeldung per E-Mail auch ein Code verlangt.',
  required: (from) =>
    `Ab ${from} ist ein zweiter Faktor Pflicht. Fügen Sie einen Passkey hinzu, oder richten Sie eine Authentifizierungs-App ein.`,
  countsFrom: (when: string) =>
    `Dieser Faktor ist neu: Er gilt ab ${when}. Bis dahin können Sie nur lesen, außer ein Inhaber bestätigt ihn auf der Seite „Mitglieder“.`,
  setUp: 'Einrichten',
  replace: 'Ersetzen',
  setUpTitle: 'Authentifizierungs-App einrichten',
  scan: 'Scannen Sie diesen Code mit Ihrer Authentifizierungs-App und geben Sie die sechs Ziffern ein, die sie zeigt.',
  qr: 'QR-Code für Ihre Authentifizierungs-App',
  orType: 'Keine Kamera? Tippen Sie diesen Schlüssel in die App:',
  firstCode: 'Code aus der App',
  add: 'App hinzufügen',
  wasAdded: 'Authentifizierungs-App hinzugefügt',
  added: (when) => `Hinzugefügt ${when}`,
  used: (when) => `zuletzt benutzt ${when}`,
  remove: 'App entfernen',
  removeTitle: 'Authentifizierungs-App entfernen?',
  removeText: 'Ihre Codes gelten dann nicht mehr. Löschen Sie auch den Eintrag in der App.',
  removed: 'Authentifizierungs-App entfernt',
  codesLeft: (left) =>
    left === 1 ? 'Noch ein Wiederherstellungscode' : `Noch ${left} Wiederherstellungscodes`,
  newCodes: 'Neue Codes erstellen',
  newCodesTitle: 'Neue Wiederherstellungscodes erstellen?',
  newCodesText: 'Die bisherigen Codes gelten dann nicht mehr.',
  codesTitle: 'Ihre Wiederherstellungscodes',
  codesText:
    'Bewahren Sie diese Codes dort auf, wo Sie sie ohne Ihr Telefon finden. Jeder gilt einmal anstelle Ihres zweiten Faktors. Sie werden nicht noch einmal angezeigt.',
  copyCodes: 'Codes kopieren',
  saved: 'Ich habe sie gespeichert',
}

export const confirm: typeof englishConfirm = {
  title: 'Bestätigen Sie, dass Sie es sind',
  text: 'Dafür wird Ihr zweiter Faktor verlangt. Danach geht es sofort weiter.',
  none: 'Dafür wird ein zweiter Faktor verlangt, und Sie haben noch keinen. Richten Sie einen ein, und versuchen Sie es erneut.',
  code: 'Code aus Ihrer Authentifizierungs-App',
  codeHint: 'Ohne Telefon geben Sie einen Wiederherstellungscode ein.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryHint: 'Nur wenn Sie Ihren Passkey nicht haben.',
  byPasskey: 'Passkey verwenden',
  confirm: 'Bestätigen',
  setUp: 'Jetzt einrichten',
}

export const rules: typeof englishRules = {
  title: 'Zweiter Faktor',
  about:
    'Ein Passkey oder eine Authentifizierungs-App neben dem Postfach, damit niemand für ein Mitglied handelt, nur weil er dessen E-Mails liest.',
  required: 'Mitglieder brauchen einen zweiten Faktor',
  fresh: 'Vor wichtigen Handlungen erneut danach fragen',
  freshHint:
    'Freigaben, API-Schlüssel, Exporte, das Aufheben von Sperren, höhere Limits und Änderungen an Mitgliedern, jeweils innerhalb von 5 Minuten nach der Bestätigung.',
  days: 'Tage, bis er Pflicht ist',
  daysHint: 'Die Mitglieder erfahren es per E-Mail. Bis dahin können sie einen einrichten.',
  from: (when) => `Pflicht ab ${when}`,
  byOperator: 'Der Betreiber dieses Dienstes verlangt ihn von allen.',
  saved: 'Gespeichert',
  asksFresh: 'Wichtige Handlungen fragen erneut danach.',
  off: 'Nicht verlangt.',
  change: 'Ändern',
  has: 'Zweiter Faktor eingerichtet',
  hasNone: 'Kein zweiter Faktor',
  signedIn: (when) => `zuletzt angemeldet ${when}`,
  ways: {
    mail: 'per E-Mail',
    passkey: 'mit Passkey',
    code: 'per E-Mail und Code',
    recovery_code: 'mit Wiederherstellungscode',
    company: 'über die Firma',
  },
  reset: 'Zweiten Faktor zurücksetzen',
  resetTitle: (email) => `Zweiten Faktor von ${email} zurücksetzen?`,
  resetText:
    'Für ein Mitglied, das Telefon, Passkeys und Wiederherstellungscodes verloren hat. Sie beide erhalten eine E-Mail. Es geschieht nach 24 Stunden, oder sofort, wenn ein weiterer Inhaber bestätigt; das Mitglied kann es verhindern.',
  resetAsked: 'Wird in 24 Stunden zurückgesetzt, oder wenn ein weiterer Inhaber bestätigt',
  resetDone: 'Zweiter Faktor zurückgesetzt',
  resetWaits: (when) => `Zweiter Faktor wird ${when} zurückgesetzt`,
  confirmReset: 'Zurücksetzen bestätigen',
  confirmResetText:
    'Hat ein anderer Inhaber darum gebeten, geschieht es sofort: Passkeys, Authentifizierungs-App und Wiederherstellungscodes werden entfernt, und alle Sitzungen enden. Fragen Sie das Mitglied vorher selbst oder am Telefon. Haben Sie selbst darum gebeten, muss ein anderer Inhaber bestätigen.',
  newFactor: (when: string) => `Neuer zweiter Faktor, gilt ab ${when}`,
  accept: 'Zweiten Faktor bestätigen',
  acceptTitle: (email: string) => `Hat ${email} den zweiten Faktor selbst eingerichtet?`,
  acceptText:
    'Er wurde allein mit dem Postfach eingerichtet und gilt darum erst nach 24 Stunden. Fragen Sie die Person selbst oder am Telefon, nicht per E-Mail. Sobald Sie bestätigen, gilt er.',
  accepted: 'Zweiter Faktor bestätigt',
  held: (when: string) => `Angehalten seit ${when}`,
  release: 'Mitglied freigeben',
  releaseTitle: (email: string) => `${email} freigeben?`,
  releaseText:
    'Die Firmenanmeldung bestätigt diese Person nicht mehr, darum kommt sie hier nicht herein, Aufrufe ihrer verbundenen Apps und API-Schlüssel werden abgewiesen, und ihre Webhooks warten. Alles läuft von selbst weiter, sobald sich die Person wieder bei der Firma anmeldet. Fragen Sie zuerst die Person oder Ihre Firma. Hat sie die Firma verlassen, übernehmen Sie die Schlüssel, die Programme brauchen, auf der Seite „API-Schlüssel“, übergeben Sie ihre Webhooks und entfernen Sie das Mitglied.',
  released: 'Apps, Schlüssel und Webhooks dieses Mitglieds laufen weiter',
  withdrawReset: 'Zurücksetzen zurücknehmen',
  withdrawn: 'Zurücksetzen zurückgenommen',
  stopReset: 'Zurücksetzen verhindern',
  stopped: 'Zurücksetzen verhindert',
}

export const address: typeof englishAddress = {
  title: 'Adresse',
  about:
    'Beide Postfächer erhalten einen Link und bestätigen innerhalb von 24 Stunden. 7 Tage lang kann das alte Postfach die Änderung rückgängig machen.',
  signIn: (email) => `Sie melden sich als ${email} an.`,
  pending: (email, when) => `Eine Änderung in ${email} wartet bis ${when} auf beide Postfächer.`,
  waitsForOld: (email) => `${email} muss noch aus Ihrem jetzigen Postfach bestätigt werden.`,
  waitsForNew: (email) => `Das Postfach von ${email} muss noch bestätigen.`,
  change: 'Adresse ändern',
  newAddress: 'Neue E-Mail-Adresse',
  send: 'Links senden',
  sent: 'Prüfen Sie beide Postfächer',
}

export const ownership: typeof englishOwnership = {
  transfer: 'Inhaberschaft übertragen',
  title: (email) => `Inhaberschaft an ${email} übertragen?`,
  text: 'Das Mitglied kann 7 Tage lang annehmen. Dann gehört ihm das Unternehmen, und Sie sind Administrator.',
  offer: 'Inhaberschaft anbieten',
  offered: 'Angeboten. Das Mitglied erhält eine E-Mail.',
  toYou: (from) => `${from} bietet Ihnen die Inhaberschaft dieses Unternehmens an.`,
  byYou: (to) => `Sie haben ${to} die Inhaberschaft dieses Unternehmens angeboten.`,
  accept: 'Annehmen',
  decline: 'Ablehnen',
  withdraw: 'Angebot zurückziehen',
  accepted: 'Sie sind jetzt Inhaber dieses Unternehmens',
  ended: 'Angebot beendet',
}

export const companyAccounts: typeof englishCompanyAccounts = {
  title: 'Firmenkonten',
  linked: (when) => `Verknüpft ${when}`,
  used: (when) => `zuletzt benutzt ${when}`,
  unlink: 'Trennen',
  unlinkTitle: (host) => `Verknüpfung mit dem Konto bei ${host} aufheben?`,
  unlinkText:
    'Das Konto meldet Sie nicht mehr an. Andere Browser, die damit angemeldet sind, werden abgemeldet. Per E-Mail oder Passkey können Sie sich weiterhin anmelden.',
  unlinked: 'Firmenkonto getrennt',
}
