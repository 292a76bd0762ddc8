/** The words of the second step of a sign-in, and of the page that asks a person to confirm. */
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'

export const secondStepWords = (language: MailLanguage): SecondStepWords =>
  ({ en: english, de: german, fr: french })[language]

const english = {
  title: 'Confirm that it’s you',
  ask: 'Enter the code from your authenticator app to continue.',
  askPasskey: 'Use your passkey to continue.',
  code: 'Code',
  codeHelp: 'Six digits. If you don’t have your phone, enter a recovery code.',
  recoveryCode: 'Recovery code',
  recoveryHelp: 'If you don’t have your passkey, enter a recovery code.',
  usePasskey: 'Use a passkey',
  confirm: 'Continue',
  wrong: 'That code is wrong or was already used. Try the next one.',
  lostTitle: 'Lost everything?',
  lost: 'Ask an owner of your business to reset your second factor. If you are its only owner, ask whoever operates Crier.',
  wait: 'Too many wrong codes. Wait 15 minutes, then try again.',
  setUpTitle: 'Set up an authenticator app',
  setUpText:
    'You need a second factor besides your mailbox. An authenticator app on your phone shows a new code every 30 seconds.',
  setUp: 'Set up an authenticator app',
  orPasskey: 'Or add a passkey in the app, under Sessions',
  hasOne: 'You have a second factor already. Change it in the app, under Sessions.',
  scan: 'Scan this code with your authenticator app, then enter the six digits it shows.',
  qr: 'QR code for your authenticator app',
  orType: 'No camera? Type this key into the app:',
  firstCode: 'Code from the app',
  newSecret: 'Scan the new code above.',
  add: 'Add app',
  codesTitle: 'Your recovery codes',
  codesText:
    'Keep these ten codes where you will find them without your phone. Each works once in place of your second factor. They are not shown again.',
  goOn: 'I have saved them',
}

export type SecondStepWords = typeof english

const german: SecondStepWords = {
  title: 'Bestätigen Sie, dass Sie es sind',
  ask: 'Geben Sie den Code aus Ihrer Authentifizierungs-App ein, um fortzufahren.',
  askPasskey: 'Verwenden Sie Ihren Passkey, um fortzufahren.',
  code: 'Code',
  codeHelp: 'Sechs Ziffern. Ohne Telefon geben Sie einen Wiederherstellungscode ein.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryHelp: 'Ohne Passkey geben Sie einen Wiederherstellungscode ein.',
  usePasskey: 'Passkey verwenden',
  confirm: 'Weiter',
  wrong: 'Dieser Code ist falsch oder wurde schon benutzt. Versuchen Sie den nächsten.',
  lostTitle: 'Alles verloren?',
  lost: 'Bitten Sie einen Inhaber Ihres Unternehmens, Ihren zweiten Faktor zurückzusetzen. Sind Sie der einzige Inhaber, wenden Sie sich an den Betreiber von Crier.',
  wait: 'Zu viele falsche Codes. Versuchen Sie es in 15 Minuten erneut.',
  setUpTitle: 'Authentifizierungs-App einrichten',
  setUpText:
    'Sie brauchen neben Ihrem Postfach einen zweiten Faktor. Eine Authentifizierungs-App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code.',
  setUp: 'Authentifizierungs-App einrichten',
  orPasskey: 'Oder in der App unter „Sitzungen“ einen Passkey hinzufügen',
  hasOne: 'Sie haben schon einen zweiten Faktor. Ändern Sie ihn in der App unter „Sitzungen“.',
  scan: 'Scannen Sie diesen Code mit Ihrer Authentifizierungs-App und geben Sie die sechs Ziffern ein, die sie zeigt.',
  qr: 'QR-Code für Ihre Authentifizierungs-App',
  orType: 'Keine Kamera? Tippen Sie diesen Schlüssel in die App:',
  firstCode: 'Code aus der App',
  newSecret: 'Scannen Sie den neuen Code oben.',
  add: 'App hinzufügen',
  codesTitle: 'Ihre Wiederherstellungscodes',
  codesText:
    'Bewahren Sie diese zehn Codes dort auf, wo Sie sie ohne Ihr Telefon finden. Jeder gilt einmal anstelle Ihres zweiten Faktors. Sie werden nicht noch einmal angezeigt.',
  goOn: 'Ich habe sie gespeichert',
}

const french: SecondStepWords = {
  title: 'Confirmez que c’est bien vous',
  ask: 'Saisissez le code de votre application d’authentification pour continuer.',
  askPasskey: 'Utilisez votre clé d’accès pour continuer.',
  code: 'Code',
  codeHelp: 'Six chiffres. Sans votre téléphone, saisissez un code de récupération.',
  recoveryCode: 'Code de récupération',
  recoveryHelp: 'Sans votre clé d’accès, saisissez un code de récupération.',
  usePasskey: 'Utiliser une clé d’accès',
  confirm: 'Continuer',
  wrong: 'Ce code est erroné ou a déjà servi. Essayez le suivant.',
  lostTitle: 'Tout est perdu ?',
  lost: 'Demandez à un propriétaire de votre entreprise de réinitialiser votre second facteur. Si vous en êtes le seul propriétaire, adressez-vous à l’exploitant de Crier.',
  wait: 'Trop de codes erronés. Réessayez dans 15 minutes.',
  setUpTitle: 'Configurer une application d’authentification',
  setUpText:
    'Il vous faut un second facteur en plus de votre messagerie. Une application d’authentification sur votre téléphone affiche un nouveau code toutes les 30 secondes.',
  setUp: 'Configurer une application d’authentification',
  orPasskey: 'Ou ajouter une clé d’accès dans l’application, sous « Sessions »',
  hasOne: 'Vous avez déjà un second facteur. Modifiez-le dans l’application, sous « Sessions ».',
  scan: 'Scannez ce code avec votre application d’authentification, puis saisissez les six chiffres affichés.',
  qr: 'Code QR pour votre application d’authentification',
  orType: 'Pas d’appareil photo ? Saisissez cette clé dans l’application :',
  firstCode: 'Code de l’application',
  newSecret: 'Scannez le nouveau code ci-dessus.',
  add: 'Ajouter l’application',
  codesTitle: 'Vos codes de récupération',
  codesText:
    'Gardez ces dix codes là où vous les trouverez sans votre téléphone. Chacun remplace une fois votre second facteur. Ils ne seront plus affichés.',
  goOn: 'Je les ai enregistrés',
}
