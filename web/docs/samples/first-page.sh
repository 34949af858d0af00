curl -s "$TAPELINE_URL/api/v1/trades/list" \
  -H "Authorization: Bearer $TAPELINE_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "symbols": ["ETH-USDT"],
    "start": "'"$(date -u +%Y-%m-%d)"'",
    "limit": 1
  }'
