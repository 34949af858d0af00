from tapeline import Tapeline

with Tapeline() as tapeline:
    for instrument in tapeline.instruments.list():
        print(instrument)
