import type { RecipientWords } from './words.ts'

export const portuguese: RecipientWords = {
  form: {
    submit: 'Enviar',
    required: 'obrigatório',
    choose: 'Escolha',
    yes: 'Sim',
    no: 'Não',
    problems: 'Verifique as suas respostas',
    missing: 'Preencha este campo.',
    email: 'Escreva um endereço de email, por exemplo ana@example.com.',
    phone: 'Escreva um número com o indicativo do país, por exemplo +351 21 798 7000.',
    number: 'Escreva um número, por exemplo 12 ou 3.5.',
    date: 'Escreva uma data que exista.',
    url: 'Escreva um endereço que comece por https://.',
    choice: 'Escolha da lista.',
    tooLong: 'O texto é demasiado longo.',
    consentNeeded: 'Assinale esta caixa para continuar.',
    thanksTitle: 'Obrigado',
    thanksText: 'As suas respostas chegaram. Pode fechar esta página.',
    confirmTitle: 'Mais um passo: veja o seu email',
    confirmText: 'Abra o email que lhe enviamos e confirme com o botão que contém.',
    closedTitle: 'Este formulário está fechado',
    closedText: 'De momento não aceita respostas.',
    expired:
      'Esta página esteve aberta demasiado tempo. As suas respostas continuam aqui: envie-as outra vez.',
    tooMany: 'Chegaram demasiadas respostas da sua rede. Espere um minuto e envie-as outra vez.',
    tryAgain: 'Não foi possível guardar as suas respostas. Continuam aqui: envie-as outra vez.',
    wait: 'Um momento, por favor…',
    sendHere:
      'Preencha o formulário aqui: houve programas que abusaram dele, por isso só aceitamos respostas desta página.',
    leaveEmpty: 'Deixe este campo vazio',
    close: 'Fechar',
    responsible: 'Responsável pelos seus dados',
    privacy: 'Política de privacidade',
  },
  preferences: {
    title: (business) => `Mensagens de ${business}`,
    unsubscribed:
      'Feito: não receberá mais envios por email. Os que estavam prestes a sair foram parados.',
    leftTopic: (topic) =>
      `Feito: você não receberá mais envios sobre ${topic}. Os outros que você escolheu continuam.`,
    saved: 'A sua escolha está guardada.',
    askUnsubscribe: 'Carregue no botão para não receber mais envios por email.',
    unsubscribe: 'Cancelar a subscrição',
    leaveTopic: (topic) => `Cancelar a inscrição em ${topic}`,
    leaveAll: 'Cancelar tudo',
    legend: 'O que recebe',
    save: 'Guardar a minha escolha',
    stillSent: 'Continuará a receber mensagens sobre as suas encomendas e pedidos.',
    emailChoice: (business) => `Quero receber novidades e ofertas de ${business} por email.`,
    smsChoice: (business) => `Quero receber novidades e ofertas de ${business} por SMS.`,
    trackingLegend: 'O que é registado',
    trackingChoice: (business) =>
      `${business} pode registar se abro os seus emails e que ligações sigo.`,
    topics: 'Temas',
    often: 'Com que frequência?',
    oftens: {
      all: 'Sempre que houver algo',
      weekly: 'No máximo uma mensagem por semana',
      digest: 'Apenas o resumo periódico',
      pause: 'Nenhuma durante 30 dias',
    },
    topicChoice: (topic, business) => `Quero receber ${topic} de ${business}.`,
    emailTo: (hint) => `Email para ${hint}`,
    smsTo: (hint) => `SMS para ${hint}`,
    goneTitle: 'Nada lhe é enviado',
    goneText: (business) =>
      `${business ?? 'O remetente'} já não tem o seu endereço, por isso não há nada a cancelar. Pode fechar esta página.`,
    returnText:
      'Se ainda recebe mensagens, use a ligação da mais recente. Quer voltar a recebê-las? Escreva o seu endereço de e-mail: enviamos-lhe um e-mail com um botão para confirmar.',
    returnLabel: 'Endereço de e-mail',
    returnButton: 'Enviar-me o e-mail',
    returnAsked:
      'Se as mensagens para este endereço foram paradas aqui, um e-mail vai a caminho. Prima o botão que ele contém para voltar a recebê-las; até lá nada muda.',
    tooManyTitle: 'Demasiadas alterações',
    tooManyText:
      'Alterou a sua escolha muitas vezes. Espere uma hora antes de pedir mais mensagens. Pode parar as mensagens em qualquer altura.',
  },
  confirmation: {
    subject: (business) => `Confirme, por favor: mensagens de ${business}`,
    text: (business) =>
      `Alguém, provavelmente você, pediu a ${business} que escrevesse para este endereço. Carregue no botão para confirmar.`,
    button: 'Confirmar',
    ignore: 'Se não foi você, não faça nada: sem a sua confirmação não receberá qualquer envio.',
    pageText: (business) => `Carregue no botão para receber mensagens de ${business}.`,
    doneTitle: 'Confirmado',
    doneText: (business) => `Receberá mensagens de ${business}. Pode fechar esta página.`,
    expiredTitle: 'Esta ligação expirou',
    expiredText: 'Preencha o formulário outra vez para receber uma nova.',
  },
  mail: { preferences: 'Cancelar a subscrição ou escolher o que recebe' },
  view: {
    link: 'Ver no navegador',
    goneTitle: 'Este email já não pode ser mostrado',
    goneText:
      'O seu conteúdo já não está guardado. Pode continuar a lê-lo na sua caixa de correio.',
  },
  // No letters that GSM 03.38 lacks: with one of them, a text holds only 70 characters.
  sms: {
    stopped: (business) =>
      `${business}: Nao recebera mais SMS deste numero. Responda START para voltar a receber.`,
    started: (business) =>
      `${business}: Volta a receber os nossos SMS. Responda HELP para ajuda, STOP para terminar.`,
    help: (business, contact) =>
      `${business}: ${contact}Responda STOP para nao receber SMS deste numero.`,
    writeTo: (address) => `Escreva para ${address}`,
  },
  archive: {
    title: (business) => `Emails de ${business}`,
    empty: 'Ainda não há aqui nenhum email.',
    older: 'Emails anteriores',
    newest: 'Emails mais recentes',
    feed: 'Feed RSS',
    all: (business) => `Todos os emails de ${business}`,
    subscribe: 'Subscrever',
    personalTitle: 'Esta ligação é pessoal',
    personalText:
      'Só funciona no email que o seu destinatário recebeu. Abra esse email para cancelar a subscrição ou escolher o que recebe.',
  },
  errors: {
    linkTitle: 'Esta ligação não funciona',
    linkText:
      'Pode ter sido cortada ao ser copiada. Abra de novo a mensagem e siga a ligação que lá está. Se também conduzir aqui, responda à mensagem e avise o remetente. Nada foi alterado.',
    pageTitle: 'Página não encontrada',
    pageText: 'Não existe nenhuma página neste endereço.',
    busyTitle: 'Demasiados pedidos',
    busyText:
      'Foram abertas demasiadas páginas a partir da sua rede. Aguarde um minuto e tente novamente.',
    failedTitle: 'Algo correu mal do nosso lado',
    failedText: 'Tente novamente dentro de momentos.',
  },
  sentWith: 'Enviado com Crier',
  skipToPage: 'Ir para o conteúdo',
}
