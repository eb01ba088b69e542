/** The ways in which a token is asked for, by their names in RFC 6749. */
export const grantTypes = ['client_credentials', 'password', 'refresh_token', 'authorization_code'] as const

/** Where a token request carries the client's id and secret: an `Authorization: Basic` header, or the form. */
export const clientAuthentications = ['header', 'body'] as const

/** What is known of one provider; `{domain}` and `{tenant}` in addresses stand for the fields of a credential. */
export interface OauthEndpoints {
  readonly title: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  readonly grantTypes: readonly (typeof grantTypes)[number][]
  readonly authentication: (typeof clientAuthentications)[number]
  /** A space unless the provider wants something else. */
  readonly scopeSeparator?: string
}

const consent = ['authorization_code', 'refresh_token'] as const
const consentOrClient = ['client_credentials', ...consent] as const
const every = ['client_credentials', 'password', ...consent] as const

/** Well-known OAuth 2.0 providers, by name. */
export const oauthProviders = {
  asana: {
    title: 'Asana',
    authorizationUrl: 'https://app.asana.com/-/oauth_authorize',
    tokenUrl: 'https://app.asana.com/-/oauth_token',
    grantTypes: consent,
    authentication: 'body',
  },
  auth0: {
    title: 'Auth0',
    authorizationUrl: 'https://{domain}/authorize',
    tokenUrl: 'https://{domain}/oauth/token',
    grantTypes: every,
    authentication: 'body',
  },
  bitbucket: {
    title: 'Bitbucket Cloud',
    authorizationUrl: 'https://bitbucket.org/site/oauth2/authorize',
    tokenUrl: 'https://bitbucket.org/site/oauth2/access_token',
    grantTypes: consentOrClient,
    authentication: 'header',
  },
  box: {
    title: 'Box',
    authorizationUrl: 'https://account.box.com/api/oauth2/authorize',
    tokenUrl: 'https://api.box.com/oauth2/token',
    grantTypes: consentOrClient,
    authentication: 'body',
  },
  cognito: {
    title: 'Amazon Cognito user pool',
    authorizationUrl: 'https://{domain}/oauth2/authorize',
    tokenUrl: 'https://{domain}/oauth2/token',
    grantTypes: consentOrClient,
    authentication: 'header',
  },
  discord: {
    title: 'Discord',
    authorizationUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    grantTypes: consentOrClient,
    authentication: 'header',
  },
  dropbox: {
    title: 'Dropbox',
    authorizationUrl: 'https://www.dropbox.com/oauth2/authorize',
    tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
    grantTypes: consent,
    authentication: 'body',
  },
  github: {
    title: 'GitHub',
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    grantTypes: consent,
    authentication: 'body',
  },
  gitlab: {
    title: 'GitLab.com',
    authorizationUrl: 'https://gitlab.com/oauth/authorize',
    tokenUrl: 'https://gitlab.com/oauth/token',
    grantTypes: consent,
    authentication: 'body',
  },
  google: {
    title: 'Google',
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    grantTypes: consent,
    authentication: 'body',
  },
  hubspot: {
    title: 'HubSpot',
    authorizationUrl: 'https://app.hubspot.com/oauth/authorize',
    tokenUrl: 'https://api.hubapi.com/oauth/v1/token',
    grantTypes: consent,
    authentication: 'body',
  },
  intuit: {
    title: 'Intuit QuickBooks',
    authorizationUrl: 'https://appcenter.intuit.com/connect/oauth2',
    tokenUrl: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
    grantTypes: consent,
    authentication: 'header',
  },
  keycloak: {
    title: 'Keycloak (the realm is the tenant)',
    authorizationUrl: 'https://{domain}/realms/{tenant}/protocol/openid-connect/auth',
    tokenUrl: 'https://{domain}/realms/{tenant}/protocol/openid-connect/token',
    grantTypes: every,
    authentication: 'header',
  },
  linkedin: {
    title: 'LinkedIn',
    authorizationUrl: 'https://www.linkedin.com/oauth/v2/authorization',
    tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
    grantTypes: consentOrClient,
    authentication: 'body',
  },
  microsoft: {
    title: 'Microsoft Entra ID',
    authorizationUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
    grantTypes: every,
    authentication: 'body',
  },
  okta: {
    title: 'Okta (its default authorization server)',
    authorizationUrl: 'https://{domain}/oauth2/default/v1/authorize',
    tokenUrl: 'https://{domain}/oauth2/default/v1/token',
    grantTypes: every,
    authentication: 'header',
  },
  salesforce: {
    title: 'Salesforce (the domain is login.salesforce.com or My Domain)',
    authorizationUrl: 'https://{domain}/services/oauth2/authorize',
    tokenUrl: 'https://{domain}/services/oauth2/token',
    grantTypes: every,
    authentication: 'body',
  },
  servicenow: {
    title: 'ServiceNow',
    authorizationUrl: 'https://{domain}/oauth_auth.do',
    tokenUrl: 'https://{domain}/oauth_token.do',
    grantTypes: ['password', ...consent],
    authentication: 'body',
  },
  slack: {
    title: 'Slack',
    authorizationUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    grantTypes: consent,
    authentication: 'header',
    scopeSeparator: ',',
  },
  spotify: {
    title: 'Spotify',
    authorizationUrl: 'https://accounts.spotify.com/authorize',
    tokenUrl: 'https://accounts.spotify.com/api/token',
    grantTypes: consentOrClient,
    authentication: 'header',
  },
  twitch: {
    title: 'Twitch',
    authorizationUrl: 'https://id.twitch.tv/oauth2/authorize',
    tokenUrl: 'https://id.twitch.tv/oauth2/token',
    grantTypes: consentOrClient,
    authentication: 'body',
  },
  zoom: {
    title: 'Zoom',
    authorizationUrl: 'https://zoom.us/oauth/authorize',
    tokenUrl: 'https://zoom.us/oauth/token',
    grantTypes: consent,
    authentication: 'header',
  },
} as const satisfies Readonly<Record<string, OauthEndpoints>>
