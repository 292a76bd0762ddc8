import type { RecipientWords } from './words.ts'

export const french: RecipientWords = {
  form: {
    submit: 'Envoyer',
    required: 'obligatoire',
    choose: 'Veuillez choisir',
    yes: 'Oui',
    no: 'Non',
    problems: 'Veuillez vérifier vos réponses',
    missing: 'Remplissez ce champ.',
    email: 'Indiquez une adresse e-mail, par exemple ana@example.com.',
    phone: 'Indiquez un numéro avec l’indicatif du pays, par exemple +33 1 42 76 40 40.',
    number: 'Indiquez un nombre, par exemple 12 ou 3.5.',
    date: 'Indiquez une date qui existe.',
    url: 'Indiquez une adresse qui commence par https://.',
    choice: 'Choisissez dans la liste.',
    tooLong: 'Ce texte est trop long.',
    consentNeeded: 'Cochez cette case pour continuer.',
    thanksTitle: 'Merci',
    thanksText: 'Vos réponses sont arrivées. Vous pouvez fermer cette page.',
    confirmTitle: 'Encore une étape : consultez votre messagerie',
    confirmText:
      'Ouvrez l’e-mail que nous vous envoyons et confirmez avec le bouton qu’il contient.',
    closedTitle: 'Ce formulaire est fermé',
    closedText: 'Il n’accepte pas de réponses pour le moment.',
    expired:
      'Cette page est restée ouverte trop longtemps. Vos réponses sont conservées : envoyez-les encore une fois.',
    tooMany:
      'Trop de réponses sont venues de votre réseau. Patientez une minute, puis envoyez-les encore une fois.',
    tryAgain:
      'Vos réponses n’ont pas pu être enregistrées. Elles sont conservées : envoyez-les encore une fois.',
    wait: 'Un instant, s’il vous plaît…',
    sendHere:
      'Merci de remplir le formulaire ici : des programmes en ont abusé, et nous n’acceptons que les réponses de cette page.',
    leaveEmpty: 'Laissez ce champ vide',
    close: 'Fermer',
    responsible: 'Responsable de vos données',
    privacy: 'Politique de confidentialité',
  },
  preferences: {
    title: (business) => `Messages de ${business}`,
    unsubscribed:
      'C’est fait : vous ne recevrez plus d’envois par e-mail. Ceux qui allaient partir sont arrêtés.',
    leftTopic: (topic) =>
      `C’est fait : vous ne recevrez plus d’envois sur ${topic}. Les autres que vous avez choisis continuent.`,
    saved: 'Votre choix est enregistré.',
    askUnsubscribe: 'Appuyez sur le bouton pour ne plus recevoir d’envois par e-mail.',
    unsubscribe: 'Se désabonner',
    leaveTopic: (topic) => `Me désinscrire de ${topic}`,
    leaveAll: 'Me désinscrire de tout',
    legend: 'Ce que vous recevez',
    save: 'Enregistrer mon choix',
    stillSent: 'Vous recevrez toujours les messages liés à vos commandes et à vos demandes.',
    emailChoice: (business) =>
      `Je souhaite recevoir les nouvelles et les offres de ${business} par e-mail.`,
    smsChoice: (business) =>
      `Je souhaite recevoir les nouvelles et les offres de ${business} par SMS.`,
    trackingLegend: 'Ce qui est enregistré',
    trackingChoice: (business) =>
      `${business} peut enregistrer si j’ouvre ses e-mails et quels liens je suis.`,
    topics: 'Thèmes',
    often: 'À quelle fréquence ?',
    oftens: {
      all: 'Dès qu’il y a du nouveau',
      weekly: 'Un message par semaine au plus',
      digest: 'Seulement le récapitulatif régulier',
      pause: 'Aucun pendant 30 jours',
    },
    topicChoice: (topic, business) => `Je souhaite recevoir ${topic} de ${business}.`,
    emailTo: (hint) => `E-mail à ${hint}`,
    smsTo: (hint) => `SMS au ${hint}`,
    goneTitle: 'Vous ne recevez plus rien',
    goneText: (business) =>
      `${business ?? 'L’expéditeur'} n’a plus votre adresse : il n’y a plus rien dont se désabonner. Vous pouvez fermer cette page.`,
    returnText:
      'Si des messages vous parviennent encore, utilisez le lien du plus récent. Vous souhaitez en recevoir à nouveau ? Indiquez votre adresse e-mail : nous vous enverrons un e-mail avec un bouton pour confirmer.',
    returnLabel: 'Adresse e-mail',
    returnButton: 'M’envoyer l’e-mail',
    returnAsked:
      'Si les messages à cette adresse avaient été arrêtés ici, un e-mail est en route. Appuyez sur son bouton pour en recevoir à nouveau ; d’ici là, rien ne change.',
    tooManyTitle: 'Trop de changements',
    tooManyText:
      'Vous avez changé votre choix très souvent. Patientez une heure avant de demander d’autres messages. Vous pouvez arrêter les messages à tout moment.',
  },
  confirmation: {
    subject: (business) => `À confirmer : les messages de ${business}`,
    text: (business) =>
      `Quelqu’un, sans doute vous, a demandé à ${business} d’écrire à cette adresse. Appuyez sur le bouton pour confirmer.`,
    button: 'Confirmer',
    ignore:
      'Si ce n’était pas vous, ne faites rien : sans votre confirmation, vous ne recevrez aucun envoi.',
    pageText: (business) => `Appuyez sur le bouton pour recevoir les messages de ${business}.`,
    doneTitle: 'C’est confirmé',
    doneText: (business) =>
      `Vous recevrez les messages de ${business}. Vous pouvez fermer cette page.`,
    expiredTitle: 'Ce lien a expiré',
    expiredText: 'Remplissez le formulaire encore une fois pour en recevoir un nouveau.',
  },
  mail: { preferences: 'Se désabonner ou choisir ce que vous recevez' },
  view: {
    link: 'Voir dans le navigateur',
    goneTitle: 'Cet e-mail ne peut plus être affiché',
    goneText:
      'Son contenu n’est plus conservé. Vous pouvez toujours le lire dans votre messagerie.',
  },
  // No letters that GSM 03.38 lacks: with one of them, a text holds only 70 characters.
  sms: {
    stopped: (business) =>
      `${business} : vous ne recevrez plus de SMS de ce numéro. Répondez START pour les recevoir à nouveau.`,
    started: (business) =>
      `${business} : vous recevrez à nouveau nos SMS. Répondez HELP pour de l'aide, STOP pour arreter.`,
    help: (business, contact) =>
      `${business} : ${contact}Répondez STOP pour ne plus recevoir de SMS de ce numéro.`,
    writeTo: (address) => `Écrivez à ${address}`,
  },
  archive: {
    title: (business) => `E-mails de ${business}`,
    empty: 'Il n’y a pas encore d’e-mail ici.',
    older: 'E-mails plus anciens',
    newest: 'E-mails les plus récents',
    feed: 'Flux RSS',
    all: (business) => `Tous les e-mails de ${business}`,
    subscribe: 'S’abonner',
    personalTitle: 'Ce lien est personnel',
    personalText:
      'Il ne fonctionne que dans l’e-mail reçu par son destinataire. Ouvrez cet e-mail pour vous désabonner ou choisir ce que vous recevez.',
  },
  errors: {
    linkTitle: 'Ce lien ne fonctionne pas',
    linkText:
      'Il a peut-être été coupé lors de la copie. Ouvrez de nouveau le message et suivez le lien qu’il contient. S’il mène aussi ici, répondez au message pour prévenir son expéditeur. Rien n’a été modifié.',
    pageTitle: 'Page introuvable',
    pageText: 'Il n’y a pas de page à cette adresse.',
    busyTitle: 'Trop de demandes',
    busyText:
      'Trop de pages ont été ouvertes depuis votre réseau. Attendez une minute et réessayez.',
    failedTitle: 'Une erreur s’est produite de notre côté',
    failedText: 'Réessayez dans un instant.',
  },
  sentWith: 'Envoyé avec Crier',
  skipToPage: 'Aller au contenu',
}
