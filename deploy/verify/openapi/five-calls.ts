/** A program that makes five calls with a generated client: each writes a line that begins with its status. */
export type Program = { file: string; code: string }

const SELECTION = "{ venues: ['sim'], symbols: ['BTC-USDT'], limit: 2 }"
const BOOK = "{ venue: 'sim', symbol: 'BTC-USDT', depth: 1 }"
const ENVIRONMENT = `declare const process: { env: Record<string, string | undefined> }
const { TAPELINE_URL: baseUrl = '', TAPELINE_KEY: key = '' } = process.env`
const WRITE = `for (const { data, response } of answers) {
  console.log(response?.status, JSON.stringify(data)?.slice(0, 80))
}`

export const openApiTypeScriptCalls: Program = {
  file: 'calls.ts',
  code: `import createClient from 'openapi-fetch'
import type { paths } from './api'

${ENVIRONMENT}
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } })
const answers = [
  await client.GET('/api/v1/instruments'),
  await client.POST('/api/v1/trades/list', { body: ${SELECTION} }),
  await client.POST('/api/v1/trades/bars', { body: ${SELECTION} }),
  await client.POST('/api/v1/l2events/book', { body: ${BOOK} }),
  await client.GET('/api/v1/limits'),
]
${WRITE}
`,
}

export const heyApiCalls: Program = {
  file: 'calls.ts',
  code: `import { client } from './client.gen'
import { listBars, listInstruments, listTrades, readBook, readLimits } from './index'

${ENVIRONMENT}
client.setConfig({ baseUrl, auth: key })
const answers = [
  await listInstruments(),
  await listTrades({ body: ${SELECTION} }),
  await listBars({ body: ${SELECTION} }),
  await readBook({ body: ${BOOK} }),
  await readLimits(),
]
${WRITE}
`,
}

export const pythonClientCalls: Program = {
  file: 'calls.py',
  code: `import os

import httpx
from client import AuthenticatedClient
from client.api.limits import read_limits
from client.api.market_data import list_bars, list_instruments, list_trades, read_book
from client.models import ListBars, ListTrades, ReadBook

client = AuthenticatedClient(base_url=os.environ["TAPELINE_URL"], token=os.environ["TAPELINE_KEY"], timeout=httpx.Timeout(60))
selection = {"venues": ["sim"], "symbols": ["BTC-USDT"], "limit": 2}
answers = [
    list_instruments.sync_detailed(client=client),
    list_trades.sync_detailed(client=client, body=ListTrades.from_dict(selection)),
    list_bars.sync_detailed(client=client, body=ListBars.from_dict(selection)),
    read_book.sync_detailed(client=client, body=ReadBook(venue="sim", symbol="BTC-USDT", depth=1)),
    read_limits.sync_detailed(client=client),
]
for answer in answers:
    print(answer.status_code.value, type(answer.parsed).__name__)
`,
}

export const typeScriptFetchCalls: Program = {
  file: 'calls.ts',
  code: `import { Configuration, LimitsApi, MarketDataApi } from './index'

${ENVIRONMENT}
const configuration = new Configuration({ basePath: baseUrl, accessToken: key, apiKey: key })
const data = new MarketDataApi(configuration)
const answers = [
  await data.listInstrumentsRaw(),
  await data.listTradesRaw({ listTrades: ${SELECTION} }),
  await data.listBarsRaw({ listBars: ${SELECTION} }),
  await data.readBookRaw({ readBook: ${BOOK} }),
  await new LimitsApi(configuration).readLimitsRaw(),
]
for (const answer of answers) {
  const value: unknown = await answer.value()
  console.log(answer.raw.status, JSON.stringify(value).slice(0, 80))
}
`,
}

export const pythonCalls: Program = {
  file: 'calls.py',
  code: `import os

from openapi_client import ApiClient, Configuration, LimitsApi, ListBars, ListTrades, MarketDataApi, ReadBook

configuration = Configuration(host=os.environ["TAPELINE_URL"], access_token=os.environ["TAPELINE_KEY"])
selection = {"venues": ["sim"], "symbols": ["BTC-USDT"], "limit": 2}
with ApiClient(configuration) as client:
    data = MarketDataApi(client)
    answers = [
        data.list_instruments_with_http_info(),
        data.list_trades_with_http_info(ListTrades(**selection)),
        data.list_bars_with_http_info(ListBars(**selection)),
        data.read_book_with_http_info(ReadBook(venue="sim", symbol="BTC-USDT", depth=1)),
        LimitsApi(client).read_limits_with_http_info(),
    ]
for answer in answers:
    print(answer.status_code, type(answer.data).__name__)
`,
}

export const goCalls: Program = {
  file: 'calls/main.go',
  code: `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func show(response *http.Response, err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(response.StatusCode)
}

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("TAPELINE_URL")}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("TAPELINE_KEY"))
	client := openapi.NewAPIClient(configuration)
	ctx := context.Background()
	trades := openapi.NewListTrades()
	trades.SetVenues([]string{"sim"})
	trades.SetSymbols([]string{"BTC-USDT"})
	trades.SetLimit(2)
	bars := openapi.NewListBars()
	bars.SetVenues([]string{"sim"})
	bars.SetSymbols([]string{"BTC-USDT"})
	bars.SetLimit(2)
	_, instruments, err := client.MarketDataAPI.ListInstruments(ctx).Execute()
	show(instruments, err)
	_, listed, err := client.MarketDataAPI.ListTrades(ctx).ListTrades(*trades).Execute()
	show(listed, err)
	_, formed, err := client.MarketDataAPI.ListBars(ctx).ListBars(*bars).Execute()
	show(formed, err)
	_, book, err := client.MarketDataAPI.ReadBook(ctx).ReadBook(*openapi.NewReadBook("sim", "BTC-USDT")).Execute()
	show(book, err)
	_, limits, err := client.LimitsAPI.ReadLimits(ctx).Execute()
	show(limits, err)
}
`,
}

export const javaCalls: Program = {
  file: 'src/main/java/Calls.java',
  code: `import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.LimitsApi;
import org.openapitools.client.api.MarketDataApi;
import org.openapitools.client.model.ListBars;
import org.openapitools.client.model.ListTrades;
import org.openapitools.client.model.ReadBook;

public class Calls {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    // Ten seconds otherwise.
    client.setReadTimeout(60_000);
    client.setBasePath(System.getenv("TAPELINE_URL"));
    client.addDefaultHeader("Authorization", "Bearer " + System.getenv("TAPELINE_KEY"));
    MarketDataApi data = new MarketDataApi(client);
    List<String> venues = List.of("sim");
    List<String> symbols = List.of("BTC-USDT");
    show(data.listInstrumentsWithHttpInfo());
    show(data.listTradesWithHttpInfo(new ListTrades().venues(venues).symbols(symbols).limit(2)));
    show(data.listBarsWithHttpInfo(new ListBars().venues(venues).symbols(symbols).limit(2)));
    show(data.readBookWithHttpInfo(new ReadBook().venue("sim").symbol("BTC-USDT").depth(1)));
    show(new LimitsApi(client).readLimitsWithHttpInfo());
  }

  private static void show(ApiResponse<?> answer) {
    System.out.println(answer.getStatusCode());
  }
}
`,
}
